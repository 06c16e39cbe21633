from __future__ import annotations

import pytest

from support.projects import small_files
from torus_site.errors import TorusError
from torus_site.project import load_project, read_project

ITEM = "site_src/toy/tests/bell.toml"
RUN = "results/toy/cascade.json"


def test_a_right_project_is_whole(make_site):
    project = load_project(make_site(small_files()))
    assert [study.benchmark.id for study in project.studies] == ["toy"]
    assert [page.path for page in project.pages] == [
        "404.html",
        "about/index.html",
        "index.html",
        "toy/results/index.html",
    ]
    assert project.warnings == ()
    study = project.studies[0]
    assert study.is_whole
    assert set(study.lookup.runs) == {"cascade", "paper"}


def test_benchmarks_stand_in_the_order_of_the_configuration(make_site):
    files = small_files()
    for name in ("first", "last"):
        descriptor = files["site_src/toy/benchmark.toml"] | {"id": name, "figures": [], "tables": []}
        del descriptor["comparator"]
        files[f"site_src/{name}/benchmark.toml"] = descriptor
    files["site_src/site.toml"]["benchmarks"] = ["last", "toy", "first"]
    project = load_project(make_site(files))
    assert [study.benchmark.id for study in project.studies] == ["last", "toy", "first"]


def test_pages_of_a_folder_that_is_no_benchmark_are_not_published(make_site):
    project = load_project(make_site(small_files() | {"site_src/drafts/idea.md": "no front matter"}))
    assert not any("idea" in page.file for page in project.pages)


def test_a_warning_does_not_keep_a_project_from_being_loaded(make_site):
    files = small_files()
    del files["results/toy/reported/paper.json"]
    project = load_project(make_site(files))
    assert [problem.found for problem in project.warnings] == ["no results for 'paper'"]


def break_item(files):
    files[ITEM]["tittle"] = "x"


def break_results(files):
    files[RUN] = "{"


def break_page(files):
    files["site_src/about.md"] = "no title\n"


def break_config(files):
    files["site_src/site.toml"]["langauge"] = "de"


def drop_home(files):
    del files["site_src/index.md"]


BREAKS = {
    ITEM: break_item,
    RUN: break_results,
    "site_src/about.md": break_page,
    "site_src/site.toml": break_config,
    "site_src/index.md": drop_home,
}


@pytest.mark.parametrize("file", BREAKS)
def test_a_problem_names_its_file(file, make_site):
    files = small_files()
    BREAKS[file](files)
    with pytest.raises(TorusError) as caught:
        load_project(make_site(files))
    assert {problem.file for problem in caught.value.problems if problem.severity == "error"} == {file}


def test_problems_of_all_files_are_told_at_once(make_site):
    files = small_files()
    for change in BREAKS.values():
        change(files)
    with pytest.raises(TorusError) as caught:
        load_project(make_site(files))
    assert {problem.file for problem in caught.value.problems} >= set(BREAKS)


def test_what_can_be_read_of_a_wrong_project_is_there(make_site):
    files = small_files()
    break_item(files)
    break_page(files)
    draft = read_project(make_site(files))
    assert [loaded.benchmark.id for loaded in draft.loaded] == ["toy"]
    assert not draft.loaded[0].is_whole
    assert [page.slug for page in draft.pages] == ["404", "index", "results"]
    assert draft.config is not None


def test_benchmarks_are_looked_for_where_the_configuration_does_not_name_them(make_site):
    files = small_files()
    break_config(files)
    draft = read_project(make_site(files))
    assert (draft.config, draft.names) == (None, ("toy",))


def test_an_empty_folder_is_no_project(tmp_path):
    with pytest.raises(TorusError, match="found no site_src here; expected a project; name the project"):
        read_project(tmp_path)
    (tmp_path / "site_src").mkdir()
    draft = read_project(tmp_path)
    assert (draft.names, draft.loaded, draft.pages) == ((), (), ())
    with pytest.raises(TorusError):
        draft.finish()
