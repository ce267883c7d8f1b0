package archive

import (
	"cmp"

	"github.com/go-extbody/extbody/fetch"
)

// plainOutcomes are the outcomes of references in the words of the page.
var plainOutcomes = map[string]string{
	"captured":                    "captured",
	"open":                        "not tried yet",
	fetch.Unsupported.String():    "this way of getting a file is not supported",
	fetch.Malformed.String():      "the reference does not say where the file is",
	fetch.Blocked.String():        "not allowed by the rules of the run",
	fetch.Denied.String():         "refused by the person who was asked",
	fetch.Expired.String():        "expired",
	fetch.Credentials.String():    "the server wants a login",
	fetch.NotFound.String():       "the server does not have it",
	fetch.Forbidden.String():      "the server does not give it",
	fetch.TooLarge.String():       "larger than allowed",
	fetch.Truncated.String():      "ended before its end",
	fetch.TypeMismatch.String():   "of another type than announced",
	fetch.DigestMismatch.String(): "other octets than promised",
	fetch.Interstitial.String():   "a page where the file should be",
	fetch.Pending.String():        "asked for, and will arrive by mail",
	fetch.Gone.String():           "deleted for good",
	fetch.Unavailable.String():    "the server did not answer",
	fetch.Untrusted.String():      "the server could not prove who it is",
	fetch.Protocol.String():       "an answer that makes no sense",
	fetch.Canceled.String():       "the run was ended",
	fetch.Local.String():          "a fault of this machine",
	fetch.Deferred.String():       "to be asked later",
	fetch.SizeMismatch.String():   "of another size than announced",
	keptForgotten:                 "removed from this archive on purpose",
}

// plainLabels are the labels of captures in the words of the page.
var plainLabels = map[string]string{
	string(fetch.CaptureDeclared):  "as the message promised: a digest agrees",
	string(fetch.CaptureVersion):   "the version that the URL names",
	string(fetch.CaptureCurrent):   "as the host had it at the time of capture",
	string(fetch.CaptureRendition): "made by the host from a document",
	"unknown":                      "none of these is known",
}

// plainHistories are the reasons of captures that are not in the version of the time of the message.
var plainHistories = map[string]string{
	"":               "captured later, and its host was not asked for its history",
	"cut":            "its host has kept no version that is as old",
	"younger":        "the file is younger than the message",
	"hidden":         "the account may not see its versions",
	"deleted":        "the version was deleted while it was asked for",
	"clock":          "the times that its host gives contradict each other",
	"long":           "its history is longer than is read",
	"rendition":      "made by the host from a document as it is now",
	"not-by-account": "had without the account, which may not see it",
	noArrival:        "it is not known when the message arrived",
}

// plainReasons are the reasons of exceptions in the words of the page.
var plainReasons = map[string]string{
	PermissionDenied:              "no permission",
	ItemDeletedOrOutsideRetention: "deleted, or not kept any longer",
	Throttling:                    "the host wants to be asked later",
	TransientServiceError:         "the host failed for now",
	UnresolvableLink:              "the link leads to no file",
	UnsupportedArtifact:           "no file that can be captured",
	Unknown:                       "not known",
	Interstitial:                  "a page where the file should be",
	Blocked:                       "not allowed by the rules of the run",
	Denied:                        "refused by the person who was asked",
}

// plain returns a code in words, or the code itself.
func plain(words map[string]string, code string) string { return cmp.Or(words[code], code) }
