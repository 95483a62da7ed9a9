"""Information density: what is worth remembering stands above what is only said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemis.text.density import density


@pytest.mark.parametrize(
    "text",
    [
        "ok thanks bye",
        "wow that's great!",
        "Good morning, how are you?",
        "haha yeah totally",
        "Thanks so much, that sounds good",
        "OK SOUNDS GREAT",
        "See you tomorrow!",
        "👍👍",
        "lol 😂",
        "哈哈好的",
        "好的，谢谢你！",
        "晚安～",
        "没问题，明天见",
        "嗯嗯，收到",
        "太棒了！",
        "😀😀",
        "",
        "...",
    ],
)
def test_greetings_and_fillers_tell_little(text: str) -> None:
    assert density(text) <= 0.2


@pytest.mark.parametrize(
    "text",
    [
        "We moved the launch to May 3rd.",
        "I'm allergic to peanuts.",
        "My sister Ana lives in Lisbon.",
        "The invoice number is KX-550912.",
        "Ok, thanks! The server password rotates every 90 days.",
        "我对花生过敏",
        "发布日期改到5月3日",
        "我妹妹住在里斯本",
        "好的，服务器密码每90天换一次",
    ],
)
def test_facts_tell_much(text: str) -> None:
    assert density(text) >= 0.5


def test_repeating_tells_no_more() -> None:
    assert density("peanut allergy " * 50) < density("Ana has a peanut allergy and asthma")
    assert density("花生" * 50) < density("安娜对花生过敏，还有哮喘")


@pytest.mark.parametrize("text", ["painted garden fence ", "花园的篱笆刷成蓝色，"])
def test_the_same_words_again_thin_a_text_out(text: str) -> None:
    assert density(text * 20) < density(text)


def test_full_width_figures_count_like_half_width_ones() -> None:
    assert density("工号是Ａ１２３４") == pytest.approx(density("工号是A1234"), abs=0.1)


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=100))
def test_density_is_a_share(text: str) -> None:
    assert 0.0 <= density(text) <= 1.0
