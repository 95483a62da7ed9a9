"""English words the rules lean on: what may not be a name, what types a name, what to leave out.

Closed lists, all lower case. They decide only where the text itself gives no evidence.
"""

from typing import Final

NOT_NAMES: Final = frozenset(
    # Words that open sentences or stand capitalised without naming anything.
    "i i'm i'd i'll i've me my mine we we're we've we'll us our you your you're he she it it's its "
    "they them their this that these those there here what when where who whom whose which why how "
    "a an the and or but if so then than as of at by for with about into to from in on off up down "
    "out over under after before since until while because though although yes no not never always "
    "also just even still again maybe perhaps sure ok okay oh wow hey hi hello thanks thank please "
    "sorry well yeah yep nope right good great nice cool awesome lovely amazing true exactly both "
    "each every some any all none most many much more less few other another such same one two "
    "three four five six seven eight nine ten first second third last next new old let let's lets "
    "do does did don't doesn't didn't is are was were be been being am have has had can could may "
    "might must shall should will would can't won't couldn't isn't aren't wasn't haven't hasn't "
    "get got go going gone come came take took make made see saw look looks looking know think "
    "thought feel felt say said says tell told ask asked want wanted need needed like love hope "
    "wish guess wait stop keep kept give gave put try tried use used work works working yesterday "
    "today tomorrow tonight now later soon once twice ever only really very too quite pretty "
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "
    "january february march april june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec am pm utc gmt mr mrs ms dr prof sir madam "
    "miss god gosh damn lol omg haha hmm ah aw aww ugh btw fyi asap imo tbh etc ps re tv pc ok'd "
    "someone somebody something anyone anybody anything everyone everybody everything nobody "
    "nothing people guys folks mom mum dad mother father bro sis sister brother son daughter "
    "anyway besides however instead therefore otherwise actually honestly apparently basically "
    "definitely absolutely probably hopefully finally recently currently usually sometimes often "
    "speaking talking thinking having being getting trying taking making reading writing playing "
    "congrats congratulations happy glad merry bless cheers bye goodbye morning evening afternoon "
    "night dear best regards noted understood agreed deal done perfect fine fair rule reminder "
    "important decision question answer note question step steps summary example tip tips table "
    "figure section add added remove check remember save saved set run start started end name "
    "title total version task room room's desk team day week month year time life home house "
    "it'd it'll that's there's here's what's who's how's where's he's she's they're they've "
    "past along unless signed picked back home casa table rent price prices cost launch "
    "tues thur thurs woohoo yay whoa unconditional pride nature art blue "
    "sounds feels looks seems tastes smells appreciate nah yup hiya gotcha lunch dinner breakfast coffee tea food music dog cat kids family friend "
    "friends school college university company bank street road hotel park lake river city "
    "without within between during through against around across along near beside among per via "
    "nor either neither whether despite unless except like plus versus vs my's user assistant "
    "system tool api url json xml html sql csv pdf faq rip gb kb mb tb km kg cm mm eu's casa's id ids ui ux cpu gpu ram os it "
    "hated loved liked enjoyed moved lived worked bought booked met sent paid called wrote read "
    "hurt broke lost found won missed fixed updated changed switched decided planned scheduled "
    "early late almost nearly half full empty big small long short high low hard easy quick slow "
    "funny weird strange interesting interested tired busy hungry excited worried sad proud "
    "european american english british chinese german french italian spanish portuguese japanese "
    "korean indian mexican dutch russian african asian greek turkish arabic thai lebanese swedish swiss irish scottish "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekend weekends weekdays classic "
    "typical poor silly lucky clever eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "keeping leaving coming going looking waiting same-day back forward together alone away inside outside upstairs downstairs".split()
)

WEAK: Final = frozenset(
    # Words that carry no topic; never a keyword, nor at the edge of one.
    "say said says tell told ask asked want wanted need needed make made making get got getting "
    "go going went gone come came coming take took taken taking give gave given put let try tried "
    "trying keep kept use used using look looks looked looking see saw seen know knew known think "
    "thought feel felt find found mean means meant seem seems work works worked working start "
    "started stop stopped move moved moving change changed turn turned run ran show showed call "
    "called help helped bring brought happen happened leave left set sit sat stand stood hear "
    "heard talk talked talking send sent pay paid buy bought meet met love loved like liked hate "
    "hated enjoy enjoyed prefer hope hoped wait waited decide decided agree agreed remember "
    "forget forgot plan planned planning check checked add added live lived living good great "
    "nice better best bad worse worst big small new old long short high low little much many lot "
    "lots bit kind sort thing things stuff way ways time times day days week weeks month months "
    "year years today yesterday tomorrow tonight morning evening afternoon night one two three "
    "four five six seven eight nine ten first second third last next really very pretty quite "
    "maybe perhaps actually basically honestly definitely probably already always never ever "
    "still even also just only again soon later now then here there back away together first "
    "around everything something anything nothing everyone someone anyone people person guy guys "
    "ok okay yes yeah sure thanks thank please sorry hello hey hi wow oh ah haha lol amazing "
    "awesome cool happy glad sad busy tired fine right wrong true real able ready done hard easy "
    "important interesting different same sure able else enough without within about into onto "
    "after before during since until between through under over because however though although "
    "while whether either neither both each every another other such own same few several most "
    "more less least almost rather instead anyway monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november "
    "december user assistant note noted kept saved recorded want wants needs gets goes makes takes "
    "gives tells asks says i'm i've i'd i'll it's that's don't doesn't didn't isn't can't won't "
    "let's you're we're they're he's she's what's there's wouldn't couldn't shouldn't haven't "
    "hasn't wasn't weren't aren't you've we've they've you'll we'll half whole part couple side "
    "end point idea case fact question answer reason place lovely perfect wonderful fun funny "
    "super totally absolutely exactly glad excited proud grateful inspiring wish believe guess "
    "hundred thousand million cents dollars euros per plus minus via re etc yet ago far near "
    "close early late quick slow full free open single whatever whenever wherever imagine keep "
    "start begin began ended finally recently currently usually sometimes often once twice "
    "past along unless somebody mid nobody anybody fewer less wherever whoever towards "
    "against allowed supposed expected closed dead stone rush argument clumsy joking apparently seven ten twenty thirty forty fifty hour hours minute minutes second seconds favourite favorite hurts hurt mind hell damn morning gonna wanna gotta yours mine theirs himself herself themselves itself myself yourself ourselves others any support appreciate moments info woohoo worth amount bye journey step steps tip tips "
    "yep push pose cause understand care shares share shared sounds feels looks seems screams screaming bless poor dear sake luck chance matter matters fact funny stuff bunch pair dozen reading seeing hearing saying telling asking using getting having being putting calling coming leaving staying turning keeping holding standing sitting waiting hoping wishing thinking feeling knowing written write wrote read watch watched eat ate drink drank sleep slept play played".split()
)

GIVEN_NAMES: Final = frozenset(
    "aaron adam adrian aisha alan albert alex alexander alexandra alice alicia alina amanda amelia "
    "amy ana andre andrea andrew andy angela anita anna anne annie anthony antonio arthur audrey "
    "barbara ben benjamin beth bill bob brandon brian bruno caleb carl carla carlos carmen caroline "
    "catherine cecilia charles charlie charlotte chloe chris christian christina christine christopher "
    "claire clara claudia colin connor craig cynthia daniel daniela danny david deborah debra denise "
    "dennis diana diego dominic donald donna dorothy doug duarte dylan edward elena eli elijah "
    "elizabeth ella ellen emily emma eric erica erik ethan eva evan evelyn fatima felix fiona "
    "frances francesca frank fred gabriel gary george gina giulia gloria graham greg hannah harry "
    "hassan heather helen henry hiroshi hugo ian ibrahim ines inês irene isaac isabel isabella ivan "
    "jack jackson jacob james jamie jan jane janet jason javier jean jeff jennifer jenny jeremy "
    "jessica jill jim joan joanna joe joel john jon jonathan jorge jose joseph josh joshua juan "
    "judith judy julia julian julie justin karen karl kate katherine kathy katie keith kelly ken "
    "kenji kevin kim kyle laila lara larry laura lauren lea leah lena leo leon leonard liam lily "
    "linda lisa liz louis louise luca lucas lucia lucy luis luke lukas maggie maya mandy manuel "
    "marc marco marcus margaret maria marie mario marion mark marta martha martin mary mateo matt "
    "matthew max megan mei melanie melissa michael michelle miguel mike mila mohamed mohammed "
    "molly monica nadia nancy naomi natalie natasha nathan neil nicholas nick nicole nina noah nora "
    "oliver olivia omar oscar owen pablo pamela patricia patrick paul paula pedro peter philip "
    "phil priya rachel rafael raj ralph raymond rebecca richard rita rob robert roberto robin roger "
    "rolf ron rosa rose ruth ryan sally sam samantha samuel sandra sara sarah scott sean sebastian "
    "sharon simon sofia sophia sophie stefan stella stephanie stephen steve steven sue susan sven "
    "sylvia tanya ted teresa theo theresa thomas tim timothy tina tobias todd tom tomas tommy tony "
    "tracy trevor tyler valentina vanessa vera veronica victor victoria vincent viktor wendy will "
    "william yuki yusuf zoe".split()
)

ORGANISATION_WORDS: Final = frozenset(
    "inc corp corporation ltd llc gmbh plc co company bank university college school institute "
    "hospital clinic foundation group labs lab laboratory studio studios agency committee ministry "
    "department association society club union council church press records airlines airways "
    "insurance partners ventures capital technologies systems solutions software consulting "
    "orchestra band theatre theater academy kindergarten bakery".split()
)

PLACE_WORDS: Final = frozenset(
    "street avenue road lane boulevard square park lake river mountain mountains hill beach island "
    "islands city town village valley bridge airport station county museum cafe café restaurant "
    "hotel library garden gardens forest bay coast canyon falls gallery stadium arena market plaza "
    "tower hall palace castle cathedral temple desert ocean sea harbour harbor port district "
    "province state country building".split()
)

EVENT_WORDS: Final = frozenset(
    "festival conference marathon expo summit congress fair cup olympics championship parade "
    "christmas easter thanksgiving halloween ramadan workshop hackathon gala retreat".split()
)

PLACES: Final = frozenset(
    "africa america argentina asia athens australia austria bangkok barcelona beijing belgium "
    "berlin boston brazil britain brussels budapest california canada chicago chile china "
    "copenhagen croatia dallas delhi denmark denver dubai dublin edinburgh egypt england europe "
    "finland florence florida france frankfurt geneva germany ghent graz greece guangzhou hamburg "
    "hangzhou helsinki hongkong houston hungary iceland india indonesia iran ireland israel istanbul "
    "italy japan kenya korea kyoto lisbon london lyon madrid malaysia manchester melbourne mexico "
    "miami milan montreal morocco moscow mumbai munich nairobi naples netherlands nice nigeria "
    "norway osaka oslo paris peru philippines poland porto portugal prague rome russia scotland "
    "seattle seoul shanghai shenzhen singapore spain stockholm sweden switzerland sydney taipei "
    "taiwan texas thailand tokyo toronto tunis turkey ukraine vancouver venice vienna vietnam "
    "wales warsaw xiamen chengdu yogyakarta zurich cairo boulder bali cologne stuttgart leipzig "
    "chongqing wuhan nanjing suzhou tianjin york".split()
)

CODE_CUES: Final = frozenset(
    "code coding program programming language compile compiler script library framework spring "
    "function api backend frontend developer software write".split()
)

TRAVEL_CUES: Final = frozenset(
    "island hike hiking hiked trip travel travelled traveled stayed beach volcano volcanoes visit "
    "visited vacation holiday flew flight hotel surf surfing".split()
)

NUMBERED: Final = frozenset(
    "task room version desk gate flight ticket issue chapter phase sprint building floor apartment "
    "unit order invoice model team level route line platform bug batch step lesson exercise "
    "episode season section milestone".split()
)

KIN: Final = frozenset(
    "sister brother mother father mom mum dad son daughter wife husband partner girlfriend "
    "boyfriend fiance fiancé fiancee fiancée cousin aunt uncle niece nephew grandmother grandfather "
    "grandma grandpa granny parents in-law stepson stepdaughter".split()
)
CHILDREN: Final = frozenset("son daughter kid child baby stepson stepdaughter".split())
PARTNERS: Final = frozenset(
    "wife husband partner girlfriend boyfriend fiance fiancé fiancee fiancée".split()
)
ROLES: Final = frozenset(
    "boss manager colleague coworker co-worker friend roommate flatmate neighbour neighbor doctor "
    "dentist therapist teacher coach trainer landlord landlady physio physiotherapist hairdresser nanny babysitter vet nurse plumber client customer accountant lawyer "
    "assistant mentor tutor professor supervisor teammate".split()
)
PETS: Final = frozenset(
    "dog cat puppy kitten rabbit hamster parrot bird fish turtle horse pony tortoise".split()
)
