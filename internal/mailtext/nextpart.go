package mailtext

import "strings"

// isNextPart reports whether words are the words that Mailman 2 writes between dashes
// above each part of a message, in one of its languages. The text after such a line
// belongs to the message and is not quoted.
func isNextPart(words string) bool {
	const blanks = " \t\u00b7" // QUIRK: the Hebrew words are between middle dots
	switch strings.Trim(words, blanks) {
	case "next part",
		"\u0627\u0644\u0642\u0633\u0645 \u0627\u0644\u062b\u0627\u0646\u064a", // Arabic
		"siguiente parte", "pr\u00f3xima parte", "Pr\u00f3xima Parte", "part seg\u00fcent",
		"dal\u0161\u00ed \u010d\u00e1st", "\u010fal\u0161ia \u010das\u0165", "n\u00e6ste del", "neste del", "n\u00e4chster Teil", "volgend deel",
		"\u03b5\u03c0\u03cc\u03bc\u03b5\u03bd\u03bf \u03bc\u03ad\u03c1\u03bf\u03c2", // Greek
		"sekvanta parto", "hurrengo zatia", "seuraava osa", "section suivante", "proxime parte", "parte successiva",
		"\u0642\u0633\u0645\u062a \u0628\u0639\u062f\u06cc",                                               // Persian
		"\u05d4\u05e7\u05d8\u05e2\u00b7\u05d4\u05d1\u05d0", "\u05d4\u05e7\u05d8\u05e2 \u05d4\u05d1\u05d0", // Hebrew
		"sljede\u0107i dio", "naslednji del", "k\u00f6vetkez\u0151 r\u00e9sz", "nast\u0119pna cz\u0119\u015b\u0107", "partea urm\u0103toare", "sonraki b\u00f6l\u00fcm",
		"\u0441\u043b\u0435\u0434\u0443\u044e\u0449\u0430\u044f \u0447\u0430\u0441\u0442\u044c",       // Russian
		"\u0441\u043b\u0435\u0434\u0435\u045b\u0438 \u0434\u0438\u043e",                               // Serbian
		"\u043d\u0430\u0441\u0442\u0443\u043f\u043d\u0430 \u0447\u0430\u0441\u0442\u0438\u043d\u0430", // Ukrainian
		"\u4e0b\u4e00\u90e8\u5206", "\u4e0b\u4e00\u90e8\u4efd": // Chinese
		return true
	}
	return false
}
