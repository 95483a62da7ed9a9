import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.scores import (
    auroc,
    bootstrap,
    fused,
    paired,
    percentile,
    recall_at,
    reciprocal_rank,
    removed,
    top,
    whole_at,
)

RANKED = ["a", "b", "a", "c", "d", "b", "e"]  # distinct: a b c d e
IDS = st.lists(st.sampled_from("abcdefgh"), max_size=12)
EVIDENCE = st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=5, unique=True)


def test_recall_is_the_share_of_the_evidence_among_the_first_distinct_ids() -> None:
    assert recall_at(RANKED, ["c", "e", "missing"], k=3) == pytest.approx(1 / 3)
    assert recall_at(RANKED, ["c", "e", "missing"], k=5) == pytest.approx(2 / 3)


def test_a_repeated_id_takes_no_place_of_another() -> None:
    # As written, c stands fourth; among distinct ids it stands third.
    assert recall_at(RANKED, ["c"], k=3) == 1.0
    assert recall_at(RANKED, ["c"], k=2) == 0.0


def test_whole_wants_every_piece_of_evidence() -> None:
    assert whole_at(RANKED, ["a", "d"], k=4) == 1.0
    assert whole_at(RANKED, ["a", "e"], k=4) == 0.0


def test_reciprocal_rank_is_of_the_first_evidence_only() -> None:
    assert reciprocal_rank(RANKED, ["d", "c"]) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKED, ["z"]) == 0.0


@given(ranked=IDS, evidence=EVIDENCE)
def test_recall_grows_with_k_and_bounds_whole(ranked: list[str], evidence: list[str]) -> None:
    shares = [recall_at(ranked, evidence, k=k) for k in range(1, 10)]
    assert shares == sorted(shares)
    for k, share in enumerate(shares, start=1):
        assert whole_at(ranked, evidence, k=k) == float(share == 1.0)


def test_bootstrap_brackets_the_mean_and_repeats_itself() -> None:
    values = [0.0] * 30 + [100.0] * 70
    found = bootstrap(values)
    assert found is not None
    assert found.mean == 70.0
    # The binomial's own interval is 70 ± 9.
    assert 58 < found.low < 64
    assert 76 < found.high < 82
    assert bootstrap(values) == found


def test_bootstrap_of_equal_values_has_no_width_and_of_none_is_absent() -> None:
    found = bootstrap([25.0] * 8)
    assert found is not None
    assert (found.low, found.high) == (25.0, 25.0)
    assert bootstrap([]) is None


def test_paired_difference_is_tighter_than_the_two_apart() -> None:
    theirs = [float(value % 100) for value in range(0, 3_700, 37)]
    ours = [value + 2 for value in theirs]
    found, alone = paired(ours, theirs), bootstrap(theirs)
    assert found is not None
    assert alone is not None
    assert found.low == pytest.approx(2.0)
    assert found.high == pytest.approx(2.0)
    assert alone.high - alone.low > 5


def test_paired_wants_the_same_questions() -> None:
    with pytest.raises(ValueError, match="2 and 1 values"):
        paired([1.0, 2.0], [1.0])


def test_auroc_counts_pairs_in_order_and_ties_half() -> None:
    assert auroc([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert auroc([0.1], [0.9]) == 0.0
    assert auroc([0.5, 0.9], [0.5, 0.1]) == pytest.approx(3.5 / 4)
    assert auroc([0.5], []) is None


def test_percentile_lies_between_neighbours() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.5
    assert percentile([], 0.5) is None


def test_fusion_prefers_what_both_rankings_hold() -> None:
    assert fused([["a", "b", "c"], ["d", "b"]])[0] == "b"
    # 1/61 each: ties go by id.
    assert fused([["y"], ["x"]]) == ["x", "y"]


def test_top_keeps_the_given_order_among_equals() -> None:
    assert top(np.array([0.1, 0.7, 0.7, 0.2]), ["a", "b", "c", "d"], k=3) == ["b", "c", "d"]


def test_the_share_of_error_removed() -> None:
    found = removed([75.0, 100.0], [50.0, 50.0])
    assert found is not None
    assert (found.mean, found.low, found.high) == (75.0, 50.0, 100.0)
    worse = removed([0.0, 0.0], [50.0, 50.0])
    assert worse is not None and worse.mean == -100.0
    assert removed([100.0], [100.0]) is None is removed([], [])
    with pytest.raises(ValueError, match="same questions"):
        removed([1.0], [])
