from mnemis.model.relations import RELATIONS
from mnemis.model.usual import importance_of, object_type, subject_type


def test_health_matters_most_and_wishes_least() -> None:
    ranked = sorted(RELATIONS, key=importance_of, reverse=True)
    assert set(ranked[:2]) == {"allergic_to", "has_condition"}
    assert importance_of("wants") < importance_of("uses") < importance_of("lives_in")
    assert all(0 < importance_of(each) < 1 for each in RELATIONS)


def test_ends_are_known_where_a_relation_tells_them() -> None:
    assert (subject_type("lives_in"), object_type("lives_in")) == ("person", "place")
    assert (subject_type("costs"), object_type("costs")) == ("other", "other")
    assert object_type("has_pet") == "animal"


def test_only_relations_of_the_vocabulary_are_spoken_of() -> None:
    assert importance_of("hovers above") == importance_of("uses")
    typed = [each for each in RELATIONS if object_type(each) != "other"]
    assert len(typed) == 17
