"""Every notebook runs from top to bottom, offline, and is stored with the text output that it has."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))


def text_outputs(notebook):
    return [
        "".join(output.get("text", "") for output in cell.outputs if output.output_type == "stream")
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.skipif(not NOTEBOOKS, reason="the notebooks are not beside the tests")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_stores(path, tmp_path):
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    NotebookClient(fresh, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert text_outputs(fresh) == text_outputs(stored)


@pytest.mark.skipif(not NOTEBOOKS, reason="the notebooks are not beside the tests")
@pytest.mark.parametrize("name", ["01_first_episode", "03_sweep"])
def test_there_is_a_notebook_about(name):
    assert name in [path.stem for path in NOTEBOOKS]
