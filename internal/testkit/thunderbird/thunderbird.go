// Package thunderbird is Thunderbird on a screen of Xvfb, driven by Marionette, for tests of the extension.
//
// It is for Linux alone.
package thunderbird
