"""English words that look like people: what acts as people do, and names that are words too."""

from typing import Final

TITLES: Final = frozenset("professor coach uncle aunt auntie aunty nurse sister".split())
"""What precedes a name with a capital of its own, beside the titles that are no names."""

SUBJECTS: Final = frozenset(
    # They say, think and want things, and open sentences, without being anybody's name.
    "police management council staff hr admin science legend rumour rumor word research experts nurse "
    "waiter waitress driver builder electrician solicitor judge surgeon consultant receptionist librarian "
    "postman chef cook customer clients parents students teachers doctors everyone everybody somebody "
    "someone anyone nobody neighbours neighbors engineers developers marketing finance legal sales support "
    "security reception accounts parliament government congress president queen king pope lady lord "
    "landlord landlady granny grandma grandpa grandad gran nan nana auntie uncle aunt baby kid kids boy girl "
    "man woman men women guy wife husband tenant agent vet plumber coach half most some many few".split()
)

ALSO_WORDS: Final = frozenset(
    # Given and family names that are words of the language: never a name in lower case.
    "will mark bill rose grace hope art may june jack pat rob sue drew nick frank penny ray dean grant chase "
    "hunter summer autumn april august ivy holly lily daisy violet olive pearl ruby amber jade faith joy "
    "harmony iris hazel heather ginger basil sage rusty sandy sunny misty crystal star sky rain river brook "
    "stone wood hill banks bush ford church parish prince duke earl baron bishop abbot page baker butcher "
    "carter fisher miller taylor smith mason potter weaver brown black white green grey gray young long short "
    "little strong wise savage rich cash gold silver kit bob tom jimmy max gene guy jay robin wren dot bud "
    "buddy chip dale dawn eve gay glen lance miles norm pierce reed rod rory rowan sandy ski skip sonny "
    "teddy tiffany trip victor wade ward warren west winter woody angel bella bianca candy carol chance charity "
    "chuck clay cliff colt cooper dolly duncan fern flora forest gill hart heath homer jean jewel josh juniper "
    "laurel lane lark major marina melody mercy merry minor mini nova poppy prudence randy rex robbie sterling "
    "stormy tanner turner tyler venus willow piper ash barb bay berry blue blaze bond bridge cat corner court "
    "cross day field fields fox free good heart house knight land law lay lock love marsh moon moss noble north "
    "park parker peak pike post price quick read rush salt shade sharp shore singer small snow song south spring "
    "steel street stout swift tree wall walker water waters wells wolf worth post "
    "china turkey polish nice reading bath cork mobile apple amazon shell target gap zoom slack teams word "
    "excel access office outlook windows safari chrome edge bing meta oracle spark swift ruby rust python java go "
    "perl basic scratch pascal ada rails spring flask signal discord telegram twitter stripe square visa discover".split()
)
