from __future__ import annotations

from support.showcase import make_run, quiz_descriptor, quiz_lookup
from torus_site.records.store import Results
from torus_site.views.lookup import make_score_key
from torus_site.views.measures import list_measures

FAR, SIZE = make_score_key("far", {}, {}, "all"), make_score_key("size", {}, {}, "all")
FIRST = make_score_key("far", {"round": "R1"}, {}, "all")


def measure(*keys, **scores):
    """List the measures of some scores; systems by name with the parameters of their distance."""
    metrics = [
        {
            "id": "far",
            "title": "Distance",
            "text": "How far.",
            "parameters": {"backbone": "ear", "reference_system": "rook"},
        },
        {"id": "size", "title": "Size"},
    ]
    runs = [
        make_run(name, scores=[{"metric": "far", "value": 1.0, "parameters": parameters}])
        for name, parameters in scores.items()
    ]
    lookup = quiz_lookup(quiz_descriptor(metrics=metrics, tables=[], figures=[]), Results(runs=tuple(runs)))
    return list_measures(lookup, keys, list(lookup.systems.values()))


def test_metric_tells_its_text_and_what_the_descriptor_fixes():
    (view,) = measure(FAR)
    assert (view.title, view.text) == ("Distance", "How far.")
    assert view.parameters == (("backbone", "ear"), ("reference system", "Rook"))


def test_metric_is_told_once_and_one_without_words_not_at_all():
    assert [view.title for view in measure(FAR, FIRST, SIZE)] == ["Distance"]
    assert measure(SIZE) == ()
    assert measure() == ()


def test_what_all_scores_share_is_told_once():
    (view,) = measure(FAR, FIRST, wren={"n": "15"}, lark={"n": "15"})
    assert view.parameters[2:] == (("n", "15"),)


def test_what_differs_is_told_with_the_systems_it_holds_for():
    (view,) = measure(
        FAR, wren={"n": "15", "rank": "7"}, lark={"n": "12"}, owl={"n": "12", "backbone": "eye"}
    )
    assert view.parameters == (
        ("backbone", "ear; eye (Owl)"),
        ("reference system", "Rook"),
        ("n", "15 (Wren); 12 (Lk, Owl)"),
        ("rank", "7"),
    )


def test_system_is_named_once_however_many_of_its_scores_say_the_same():
    scores = [
        {"metric": "far", "value": 1.0, "at": at, "parameters": {"n": n}}
        for at, n in (({}, "3"), ({"round": "R1"}, "3"), ({"round": "R2"}, "4"))
    ]
    lookup = quiz_lookup(results=Results(runs=(make_run("wren", scores=scores),)))
    second = make_score_key("far", {"round": "R2"}, {}, "all")
    (view,) = list_measures(lookup, [FAR, FIRST, second], [lookup.systems["wren"]])
    assert view.parameters == (("n", "3 (Wren); 4 (Wren)"),)
