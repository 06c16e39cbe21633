"""The half of the listener's probes that was put aside: scored once, after the listener was done."""

from __future__ import annotations

from support.listener_probes import P
from support.probe_clips import gain, hush, mix, noise, part, play, recording, row, say, scene, tone


def kitchen():
    return row(say("Have you fed the cat this morning?", "slt"), hush(1.2), say("No, I thought you had.", "en-us"))


def announcement():
    return row(scene("A bell.")[:88200], say("Passengers for Lisbon, please go to gate twelve.", "en-gb+f3", rate=150))


def workshop():
    return scene("Cutlery jangles for 1.5 seconds, then two loud claps, then a low thud.")


def trumpet_scale():
    return play(56, [(76 - 2 * i, 0.5 * i, 0.45, 110 - 9 * i) for i in range(8)])


def organ_then_kit():
    return row(play(19, [(60, 0, 3, 90), (64, 0, 3, 90), (67, 0, 3, 90)]), play(-1, [(38, 0.3 * i, 0.1, 110) for i in range(9)]))


def guitar_and_words():
    return row(part(recording("guit_em9.flac"), 0, 4), recording("speech_0930.wav"))


def bell_and_crows():
    crow = recording("misc_crow.flac")
    return row(part(recording("perc_bell.flac"), 0, 3), crow, hush(0.6), crow, hush(0.6), crow)


def slow_waltz():
    return play(0, [(48 if i % 3 == 0 else 60, 0.8 * i, 0.4, 90) for i in range(9)])


def order_line():
    return say("Buy milk, then post the letter, and finally call your sister.", "rms")


HELD_OUT = (
    P("spoken", kitchen, "What is the question about?", "Feeding the cat", "Walking the dog", "Locking the door", "Paying the rent", "Cooking dinner", "Catching a train"),
    P("speaker", kitchen, "Who has the final word?", "The man", "The woman", "Both speak together", "A child", "The same woman as before", "Nobody; the question hangs in the air"),
    P("spoken", kitchen, "What is the answer?", "No, the other person was thought to have done it", "Yes, an hour ago", "There is no cat", "It will be done tonight", "The shop was closed", "Only silence"),
    P("duration", kitchen, "How much time passes before the reply?", "A little over a second", "Nothing, it comes at once", "A tenth of a second", "Five seconds", "Nearly eight seconds", "Three seconds"),
    P("order", announcement, "How does the announcement unfold?", "A chime first and a voice afterwards", "A voice first and a chime afterwards", "A chime, with nothing spoken", "Two voices in turn", "A drum roll and then cheering", "A voice over a steady engine"),
    P("spoken", announcement, "Where are the passengers going?", "Lisbon", "London", "Madrid", "Boston", "Berlin", "Venice"),
    P("spoken", announcement, "Which gate is named?", "Twelve", "Two", "Twenty", "Seven", "Fourteen", "None"),
    P("order", workshop, "Put the sounds in order.", "Jingling metal, clapping, a dull thump", "A dull thump, clapping, jingling metal", "Clapping, jingling metal, a dull thump", "Jingling metal, a dull thump, clapping", "A single thump and no metal", "A whistle, a shout, a thump"),
    P("count", workshop, "How many claps are there?", "Two", "One", "Four", "Six", "Eight", "None at all"),
    P("ending", workshop, "What closes the clip?", "A low thump", "A bright jingle", "A sharp pair of claps", "A spoken word", "A rising whistle", "Music"),
    P("pitch", trumpet_scale, "Where does the melody head?", "Down the scale", "Up the scale", "Nowhere: one note is repeated", "Up first, then down", "It zigzags wildly", "It ends higher than it began"),
    P("level", trumpet_scale, "What becomes of the volume?", "It dwindles", "It builds up", "It holds constant", "It peaks at the end", "It doubles halfway", "It pulses in and out"),
    P("instrument", trumpet_scale, "What is being played?", "A brass instrument", "A xylophone", "A plucked guitar", "A drum", "A piano", "A human voice"),
    P("order", organ_then_kit, "Describe the two sections.", "Held organ chord, then snare hits", "Snare hits, then a held organ chord", "Both sections are organ", "Solo flute, then organ", "Snare hits all the way through", "Piano arpeggios, then a gong"),
    P("rhythm", organ_then_kit, "What changes in the second half?", "A steady pulse of strokes takes over from the sustained sound", "The sound becomes smooth and sustained", "Everything goes quiet", "Somebody begins to sing", "The pulse slows until it stops", "Nothing changes"),
    P("order", guitar_and_words, "What does the clip consist of?", "Guitar playing, then a spoken sentence", "A spoken sentence, then guitar playing", "Singing with guitar", "Speech only", "Guitar only", "Piano, then a crowd"),
    P("spoken", guitar_and_words, "Which word does the speaker use?", "Amiable", "Miserable", "Valuable", "Terrible", "Probable", "Favourable"),
    P("when", guitar_and_words, "When does someone start talking?", "After about four seconds", "Immediately", "After about half a second", "After about ten seconds", "Nobody talks", "After about one second"),
    P("count", bell_and_crows, "How many caws can be counted?", "Three", "One", "Two", "Five", "Seven", "Zero"),
    P("order", bell_and_crows, "Which comes first?", "The bell", "The bird", "They start together", "A human shout", "A drum", "A motor"),
    P("absence", bell_and_crows, "What can you not hear?", "Someone talking", "A crow", "Metal ringing", "Gaps between the calls", "A decaying resonance", "Repeated animal cries"),
    P("rhythm", slow_waltz, "What is the tempo?", "Slow, a bit more than one note a second", "Very fast, ten notes a second", "Fast, six notes a second", "Irregular and hectic", "Four notes a second", "No separate notes, one long drone"),
    P("instrument", slow_waltz, "What do we hear playing?", "A keyboard with struck strings", "A bowed cello", "A clarinet", "A bagpipe", "A rattle", "An accordion"),
    P("spoken", order_line, "What should be done last?", "Call the sister", "Buy milk", "Post the letter", "Feed the cat", "Call the doctor", "Clean the house"),
    P("spoken", order_line, "Which errand comes between the other two?", "Posting the letter", "Buying milk", "Calling the sister", "Writing a letter to mother", "Going to the bank", "Picking up bread"),
    P("speaker", order_line, "What can be said of the voice?", "A lone male voice", "A lone female voice", "A man and a woman in turn", "Several children", "A singing choir", "There is no voice"),
    P("level", lambda: noise(6, level_db=-15, swell_db=30), "How does the hiss evolve?", "It swells to its loudest at the close", "It dies down", "It remains level", "It stops in the middle", "It peaks at the beginning and fades", "It flickers on and off"),
    P("pitch", lambda: tone(900, 4, to_hz=200), "Which way does the whistle move?", "It glides down", "It glides up", "It stays level", "It trills rapidly", "It jumps up an octave halfway", "It has no definite pitch"),
    P("pitch", lambda: tone(330, 6, beat_hz=2), "How does the note behave?", "It pulsates roughly twice every second", "It is smooth and unwavering", "It pulsates roughly eight times every second", "It glides downward", "It pulsates roughly five times a second", "It cuts in and out with silences"),
    P("when", lambda: row(noise(4, level_db=-45), mix(noise(2, level_db=-45), tone(700, 0.4, level=0.6))), "At what point does the beep sound?", "Roughly four seconds into the clip", "As soon as it starts", "Roughly two seconds into the clip", "There is no beep", "Around one second in", "Around nine seconds in"),
    P("when", lambda: row(hush(3), say("Is there anybody in here?", "rms")), "How does the clip start?", "With a long silence of about three seconds", "With a voice straight away", "With a short beep", "With a loud crash", "With music", "With applause"),
    P("duration", lambda: row(hush(0.5), tone(500, 0.3), hush(2.5)), "How long does the tone last?", "Under half a second", "Around two seconds", "Around three seconds", "Around one second", "Around five seconds", "The entire clip"),
    P("rhythm", lambda: row(*[row(tone(800, 0.08), hush(g)) for g in (0.1, 0.15, 0.22, 0.32, 0.5, 0.75, 1.0)]), "How are the blips spaced?", "Farther and farther apart", "Closer and closer together", "At equal distances", "In two tight groups", "All at once", "In pairs, evenly"),
    P("colour", lambda: gain(noise(4), 6), "What character does the noise have?", "Bright and hissing", "Deep and rumbling", "Pure and tonal", "Muffled, as through a wall", "Booming and hollow", "A low drone"),
    P("colour", lambda: row(noise(2, low=True), hush(0.5), noise(2)), "Compare the first burst with the second.", "The first is duller, the second brighter", "The first is brighter, the second duller", "They are identical", "The second is lower and darker", "Both are clear tones", "Only one burst is heard"),
    P("level", lambda: row(scene("A loud bang.")[:66150], hush(1), gain(scene("A loud bang.")[:66150], -22)), "How do the two impacts relate?", "The later one is much weaker", "The later one is much stronger", "They are of equal force", "There is just one impact", "The earlier one can hardly be heard", "Both are inaudible"),
    P("loudest", lambda: row(gain(say("Keep quiet please.", "slt"), -20), hush(0.5), scene("A loud bang.")[:66150], hush(0.5), gain(part(recording("perc_bell.flac"), 0, 2), -20)), "What stands out as the loudest event?", "The impact in the middle", "The voice at the beginning", "The bell at the end", "The pause before the bell", "A car horn", "Everything is equally loud"),
    P("room", lambda: scene("In a cathedral, two knocks 3 seconds apart."), "What are the acoustics like?", "Vast and echoing", "Bone dry", "Cramped and muffled", "Outdoors, without reflections", "Like a small furnished bedroom", "Like the inside of a wardrobe"),
    P("room", lambda: scene("In a carpeted room, five knocks."), "Where might this have been recorded?", "In a small, soft-furnished room", "In a huge stone church", "In a long tunnel", "In a swimming hall", "In a canyon", "In a deep cave with echoes"),
    P("sound", lambda: row(*[recording("misc_crow.flac")] * 4), "Which animal is it?", "A crow", "A cow", "A cat", "A horse", "A frog", "A lion"),
    P("sound", lambda: scene("Wind."), "What surrounds the microphone?", "Moving air", "A chattering crowd", "A symphony orchestra", "A typewriter", "A barking dog", "A ringing telephone"),
    P("absence", lambda: noise(5, level_db=-35), "Which claim holds?", "There is no music and no voice, only noise", "A soft melody plays", "A speaker whispers", "A bell tolls twice", "A car passes with its horn blaring", "A dog barks in the distance"),
    P("count", lambda: row(*[row(tone(1200, 0.1), hush(0.4))for _ in range(5)]), "How many beeps does the device give?", "Five", "One", "Three", "Eight", "Two", "Twelve"),
)
