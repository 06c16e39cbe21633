"""Wrap a model as a program that the evaluator calls: copy this file and fill in the four functions."""

import json
import sys
import wave


def read_wav(path):
    """Read 16-bit samples as bytes, with what is needed to write them again."""
    with wave.open(path, "rb") as file:
        return file.readframes(file.getnframes()), file.getparams()


def generate(request):
    """Write a sound for request["prompt"]; a model would be called here."""
    with wave.open(request["out"], "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(bytes(2 * 16000))
    return {"clip": {"path": request["out"]}, "note": "silence, since there is no model yet"}


def edit(request):
    """Change the clip as request["instruction"] says; here it is written back as it is."""
    samples, parameters = read_wav(request["clip"]["path"])
    with wave.open(request["out"], "wb") as file:
        file.setparams(parameters)
        file.writeframes(samples)
    return {"clip": {"path": request["out"]}}


def caption(request):
    """Say what the clip holds."""
    samples, parameters = read_wav(request["clip"]["path"])
    return {"text": f"A sound of {len(samples) / 2 / parameters.nchannels / parameters.framerate:.1f} s."}


def answer(request):
    """Reply with a letter; request["text"] is the whole question as a language model is asked."""
    return {"text": min(request["options"])}


CALLS = {"generate": generate, "edit": edit, "caption": caption, "answer": answer}

print(json.dumps({"torus_eval": 1, "capabilities": list(CALLS), "model": "example"}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    try:
        reply = CALLS[asked["call"]](asked)
    except Exception as error:  # noqa: BLE001 -- whatever goes wrong is told, and the next call may go well
        reply = {"error": {"kind": "call", "message": repr(error)}}
    print(json.dumps({"id": asked["id"], **reply}), flush=True)
