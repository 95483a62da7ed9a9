"""Function words and fillers: what tells little about the matter of a text.

Entries are tokens as `tokenise` gives them: stemmed English words, Chinese characters and pairs
of characters. "may" is absent because it is also a month, negations because they turn a meaning.
"""

from typing import Final

ENGLISH: Final = frozenset(
    "a an the and or but if then than so as of at by for with about into to from in on onto upon "
    "over under out off up down i me my mine myself we us our our ourselv you your yourself he him "
    "his himself she her herself it it itself they them their themselv this that these those "
    "am is are was were be been be being do doe did done have has had having hav will would shall "
    "should can could might must ought there here what when where who whom whose which why how "
    "i'm i'd i'll i've let just also too very veri s t re ve ll d m onli own same such each "
    "some ani all both more most other".split()
)

CHINESE_CHARACTERS: Final = frozenset(
    "的了是在我你您他她它们吗呢吧啊呀哦嗯嘛啦么什哪谁怎这那个和与及也都就还又再被把将对从到给让之其而且或"
)
CHINESE: Final = CHINESE_CHARACTERS | frozenset(
    "什么 为什 为何 怎么 怎样 如何 哪里 哪个 哪些 多少 几个 几点 何时 时候 我们 你们 他们 她们 "
    "因为 所以 但是 可以 没有 一个 一下".split()
)

STOPWORDS: Final = ENGLISH | CHINESE

ENGLISH_FILLERS: Final = frozenset(
    "ok okay okey k yes yeah yep yup no nope nah sure thank thanks thx ty bye goodby goodbye hi "
    "hello hey hiya great good nice cool awesom wow wonder amaz lovely love perfect fine well oh "
    "ah haha hahaha lol lmao hmm hm um uh huh right true agre exact exactli absolut definit "
    "total realli real sound see later talk soon welcom sorri pleas glad happi hope care take "
    "got get go know mean think like feel lot much congrat congratul cheer gotcha understood "
    "bless morn night even day alright interest fantast excel super best so wish luck enjoy "
    "aw aww yay omg hug thing way keep make tomorrow tonight today "
    "it'll there's that's don't can't won't".split()
)
