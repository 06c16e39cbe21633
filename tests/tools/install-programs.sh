#!/bin/sh
# Brings the programs that the tests use and Python cannot: by apt-get where it can, else it says what is missing.
# It always ends well: the tests that need an absent program skip and name it.
set -u

have() { command -v "$1" >/dev/null 2>&1; }

have_chromium() {
	[ -n "${CHROMIUM:-}" ] && have "$CHROMIUM" && return 0
	for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
		have "$name" && return 0
	done
	return 1
}

have_soundfont() {
	for folder in /usr/share/sounds/sf2 /usr/share/soundfonts /usr/local/share/soundfonts; do
		ls "$folder"/*.sf2 >/dev/null 2>&1 && return 0
	done
	return 1
}

# Prints the Debian packages whose program is absent.
list_missing() {
	have_chromium || echo chromium
	have espeak-ng || echo espeak-ng
	have flite || echo flite
	have fluidsynth || echo fluidsynth
	have_soundfont || echo timgm6mb-soundfont
	have ffmpeg || echo ffmpeg
	have node || echo nodejs
	have npm || echo npm
	have java || echo default-jre-headless
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

can_be_root() { [ "$(id -u)" -eq 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }

# Prints those that are missing of the packages named, or all that are where none is named.
list_wanted() {
	for package in $(list_missing); do
		[ $# -eq 0 ] && echo "$package"
		for name; do [ "$name" = "$package" ] && echo "$package"; done
	done
}

missing=$(list_wanted "$@")
[ -z "$missing" ] && exit 0

if have apt-get && can_be_root; then
	echo "Installing with apt-get:" $missing
	log=$(mktemp)
	export DEBIAN_FRONTEND=noninteractive
	as_root apt-get update -qq >"$log" 2>&1 </dev/null || tail -n 3 "$log"
	for package in $missing; do
		as_root apt-get install -qq --no-install-recommends -y "$package" >"$log" 2>&1 </dev/null || {
			echo "apt-get could not install $package:"
			tail -n 3 "$log"
		}
	done
	rm -f "$log"
	missing=$(list_wanted "$@")
	[ -z "$missing" ] && exit 0
fi

echo "Missing, and not to be had without a package manager and the right to use it:"
for package in $missing; do
	case $package in
	chromium) echo "  Chromium (or Chrome; or set CHROMIUM to its path): the browser tests will be skipped" ;;
	ffmpeg) echo "  ffmpeg: the tests of containers that only it can read will be skipped" ;;
	fluidsynth | timgm6mb-soundfont) echo "  $package: the tests of the evaluator's music will be skipped" ;;
	espeak-ng | flite) echo "  $package: the tests of the evaluator's speech will be skipped" ;;
	nodejs | npm) echo "  $package: the tests of the JavaScript and the accessibility and HTML checks will be skipped" ;;
	*) echo "  Java (17 or newer): the HTML check will be skipped" ;;
	esac
done
