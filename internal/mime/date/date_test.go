package date

import (
	"errors"
	"net/http"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, in, want string // want is RFC 3339
		zone           string // name of the location
		forgiven       bool
	}{
		// RFC 5322 section 3.3, RFC 1123 section 5.2.14, RFC 822 section 5.
		{"EB23MIMEExample", "Fri, 14 Jun 1991 19:13:14 -0400 (EDT)", "1991-06-14T19:13:14-04:00", "", false},
		{"EB23NoWeekday", "14 Jun 1991 19:13:14 -0400", "1991-06-14T19:13:14-04:00", "", false},
		{"EB23NoSeconds", "Fri, 14 Jun 1991 19:13 -0400", "1991-06-14T19:13:00-04:00", "", false},
		{"EB23Nothing", "1 Jan 00 00:00 UT", "2000-01-01T00:00:00Z", "UTC", false},
		{"EB23Comments", "(a)Fri(b),(c)14(d)Jun(e)1991(f)19(g):(h)13(i):(j)14(k)-0400(l)", "1991-06-14T19:13:14-04:00", "", false},
		{"EB23NestedComments", `Fri, 14 Jun 1991 (a (b \) \( c) "d) 19:13:14 -0400`, "1991-06-14T19:13:14-04:00", "", false},
		{"EB23Folding", "Fri,\r\n 14 Jun\r\n\t1991 19:13:14\r\n -0400", "1991-06-14T19:13:14-04:00", "", false},
		{"EB23AnyCase", "fRI, 14 jUN 1991 19:13:14 gmt", "1991-06-14T19:13:14Z", "UTC", false},
		{"EB23NoSpaces", "Fri,14Jun1991 19:13:14-0400", "1991-06-14T19:13:14-04:00", "", false},
		{"EB23OneDigitDay", "Sat, 1 Jun 1991 19:13:14 +0530", "1991-06-01T19:13:14+05:30", "", false},
		{"EB23LargestOffset", "1 Jan 2000 00:00 +9959", "1999-12-27T20:01:00Z", "", false},
		{"SI3GMT", "Mon, 24 Jun 2002 09:00:00 GMT", "2002-06-24T09:00:00Z", "UTC", false},
		{"PlusZero", "Mon, 24 Jun 2002 09:00:00 +0000", "2002-06-24T09:00:00Z", "UTC", false},
		{"MinusZero", "Mon, 24 Jun 2002 09:00:00 -0000", "2002-06-24T09:00:00Z", "-0000", false},

		// RFC 5322 section 4.3.
		{"EB24Year00", "1 Jan 00 00:00 GMT", "2000-01-01T00:00:00Z", "UTC", false},
		{"EB24Year49", "1 Jan 49 00:00 GMT", "2049-01-01T00:00:00Z", "UTC", false},
		{"EB24Year50", "1 Jan 50 00:00 GMT", "1950-01-01T00:00:00Z", "UTC", false},
		{"EB24Year99", "1 Jan 99 00:00 GMT", "1999-01-01T00:00:00Z", "UTC", false},
		{"EB24Year102", "1 Jan 102 00:00 GMT", "2002-01-01T00:00:00Z", "UTC", false},
		{"EB24Year049", "1 Jan 049 00:00 GMT", "1949-01-01T00:00:00Z", "UTC", false},
		{"EB24EST", "1 Jan 2000 00:00 EST", "2000-01-01T00:00:00-05:00", "EST", false},
		{"EB24EDT", "1 Jan 2000 00:00 edt", "2000-01-01T00:00:00-04:00", "EDT", false},
		{"EB24CST", "1 Jan 2000 00:00 CST", "2000-01-01T00:00:00-06:00", "CST", false},
		{"EB24CDT", "1 Jan 2000 00:00 CDT", "2000-01-01T00:00:00-05:00", "CDT", false},
		{"EB24MST", "1 Jan 2000 00:00 MST", "2000-01-01T00:00:00-07:00", "MST", false},
		{"EB24MDT", "1 Jan 2000 00:00 MDT", "2000-01-01T00:00:00-06:00", "MDT", false},
		{"EB24PST", "1 Jan 2000 00:00 PST", "2000-01-01T00:00:00-08:00", "PST", false},
		{"EB24PDT", "1 Jan 2000 00:00 PDT", "2000-01-01T00:00:00-07:00", "PDT", false},
		{"EB24MilitaryZ", "1 Jan 2000 00:00 Z", "2000-01-01T00:00:00Z", "-0000", false},
		{"EB24MilitaryA", "1 Jan 2000 00:00 a", "2000-01-01T00:00:00Z", "-0000", false},
		{"EB24NoMilitaryJ", "1 Jan 2000 00:00 J", "2000-01-01T00:00:00Z", "-0000", true},
		{"EB24NoMilitaryJInLowerCase", "1 Jan 2000 00:00 j", "2000-01-01T00:00:00Z", "-0000", true},
		{"EB24UnknownZone", "1 Jan 2000 00:00 CEST", "2000-01-01T00:00:00Z", "-0000", true},
		{"EB24UnknownThreeLetters", "1 Jan 2000 00:00 EET", "2000-01-01T00:00:00Z", "-0000", true},
		{"EB24Second60", "Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T00:00:00Z", "UTC", false},
		{"LeapDay", "29 Feb 2000 00:00 GMT", "2000-02-29T00:00:00Z", "UTC", false},

		// RFC 4483 sections 5 and 6.1.
		{"EB25FullMonth", "Mon, 24 June 2002 09:00:00 GMT", "2002-06-24T09:00:00Z", "UTC", true},
		{"EB25WrongWeekday", "Sat, 20 Jun 2002 12:00:00 GMT", "2002-06-20T12:00:00Z", "UTC", true},
		{"EB25WrongSunday", "Sun, 20 Jun 2002 12:00:00 GMT", "2002-06-20T12:00:00Z", "UTC", true},
		{"EB25Sept", "Tues, 24 Sept 2002 09:00:00 GMT", "2002-09-24T09:00:00Z", "UTC", true},
		{"UnknownWeekday", "Mo, 24 Jun 2002 09:00:00 GMT", "2002-06-24T09:00:00Z", "UTC", true},
		{"NoCommaAfterWeekday", "Mon 24 Jun 2002 09:00:00 GMT", "2002-06-24T09:00:00Z", "UTC", true},

		// RFC 9110 section 5.6.7.
		{"EB25IMFFixdate", "Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "UTC", false},
		{"EB25RFC850", "Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z", "UTC", true},
		{"EB25RFC850FourDigits", "Sun, 06-Nov-1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "UTC", true},
		{"EB25Asctime", "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z", "UTC", true},
		{"DateProgram", "Fri Jun 14 19:13:14 EDT 1991", "1991-06-14T19:13:14-04:00", "EDT", true},
		{"AsctimeWithZone", "Fri Jun 14 19:13:14 1991 -0400", "1991-06-14T19:13:14-04:00", "", true},
		{"MonthFirst", "June 24, 2002 09:00:00 GMT", "2002-06-24T09:00:00Z", "UTC", true},
		{"MonthFirstNoZone", "Jun 24 2002, 09:00", "2002-06-24T09:00:00Z", "UTC", true},

		{"Quoted", `"Fri, 14 Jun 1991 19:13:14 -0400"`, "1991-06-14T19:13:14-04:00", "", true},
		{"StrayQuote", `Fri, 14 Jun 1991 19:13:14 -0400"`, "1991-06-14T19:13:14-04:00", "", true},
		{"EscapedQuotes", `\"Fri, 14 Jun 1991 19:13:14 -0400\"`, "1991-06-14T19:13:14-04:00", "", true},
		{"SingleQuotes", "'Fri, 14 Jun 1991 19:13:14 -0400'", "1991-06-14T19:13:14-04:00", "", true},
		{"OpenComment", "Fri, 14 Jun 1991 19:13:14 -0400 (EDT", "1991-06-14T19:13:14-04:00", "", true},
		{"OpenCommentAtTheEnd", "Fri, 14 Jun 1991 19:13:14 -0400 (", "1991-06-14T19:13:14-04:00", "", true},
		{"OpenCommentBackslash", `Fri, 14 Jun 1991 19:13:14 -0400 (\`, "1991-06-14T19:13:14-04:00", "", true},
		{"CommaAfterYear", "14 Jun 1991, 19:13:14 -0400", "1991-06-14T19:13:14-04:00", "", true},
		{"OneDigitHour", "14 Jun 1991 9:13:14 -0400", "1991-06-14T09:13:14-04:00", "", true},
		{"Fraction", "14 Jun 1991 19:13:14.0678912345 -0400", "1991-06-14T19:13:14.067891234-04:00", "", true},
		{"YearBefore1900", "1 Jan 1899 00:00 GMT", "1899-01-01T00:00:00Z", "UTC", true},
		{"UTC", "1 Jan 2000 00:00 UTC", "2000-01-01T00:00:00Z", "UTC", true},
		{"OffsetWithColon", "1 Jan 2000 00:00 +05:30", "2000-01-01T00:00:00+05:30", "", true},
		{"OffsetOfHours", "1 Jan 2000 00:00 +2", "2000-01-01T00:00:00+02:00", "", true},
		{"OffsetAfterGMT", "1 Jan 2000 00:00 GMT+0200 (CEST)", "2000-01-01T00:00:00+02:00", "", true},
		{"NoZone", "1 Jan 2000 00:00:00", "2000-01-01T00:00:00Z", "-0000", true},
		{"NameAfterOffset", "1 Jan 2000 00:00:00 -0500 EST", "2000-01-01T00:00:00-05:00", "", true},
		{"UnknownZoneAndOffset", "Fri, 14 Jun 1991 10:06:24 FOO +0200", "1991-06-14T10:06:24+02:00", "", true},
		{"LetterAndOffset", "Fri, 14 Jun 1991 10:06:24 Z +0200", "1991-06-14T10:06:24+02:00", "", true},
		{"AmericanZoneAndOffset", "Fri, 14 Jun 1991 10:06:24 EST +0200", "1991-06-14T10:06:24-05:00", "EST", true},
		{"PMAndUnknownZoneAndOffset", "Fri, 14 Jun 1991 10:06:24 pm FOO +0200", "1991-06-14T22:06:24+02:00", "", true},
		{"PM", "Fri, 14 Jun 1991 10:06:24pm -0330", "1991-06-14T22:06:24-03:30", "", true},
		{"AM", "14 Jun 1991 12:06 AM GMT", "1991-06-14T00:06:00Z", "UTC", true},
		{"Noon", "14 Jun 1991 12:06 PM", "1991-06-14T12:06:00Z", "-0000", true},
		{"TextBehind", "1 Jan 2000 00:00:00 -0500; x", "2000-01-01T00:00:00-05:00", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, forgiven, err := Parse(tt.in)
			want, perr := time.Parse(time.RFC3339, tt.want)
			if perr != nil {
				t.Fatal(perr)
			}
			if err != nil || !got.Equal(want) || forgiven != tt.forgiven {
				t.Errorf("got %v, %v, %v; want %v, %v", got, forgiven, err, want, tt.forgiven)
			}
			if name := got.Location().String(); name != tt.zone {
				t.Errorf("location %q, want %q", name, tt.zone)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct {
		name, in string
		want     error
	}{
		{"Empty", "", ErrSyntax},
		{"WhiteSpace", " \r\n\t", ErrSyntax},
		{"CommentOnly", "(Fri, 14 Jun 1991 19:13:14 -0400)", ErrSyntax},
		{"OpenCommentBeforeTime", `Fri, 14 Jun 1991 (a (b \) ( c) "d) 19:13:14 -0400`, ErrSyntax},
		{"Never", "never", ErrSyntax},
		{"WeekdayOnly", "Fri,", ErrSyntax},
		{"UnknownWeekdayWithoutComma", "Vr 14 Jun 1991 19:13:14 -0400", ErrSyntax},
		{"DayOfThreeDigits", "014 Jun 1991 19:13:14 -0400", ErrSyntax},
		{"UnknownMonth", "14 Juin 1991 19:13:14 -0400", ErrSyntax},
		{"MonthTooShort", "14 Ju 1991 19:13:14 -0400", ErrSyntax},
		{"MonthTooLong", "14 Junes 1991 19:13:14 -0400", ErrSyntax},
		{"MonthAsNumber", "14 06 1991 19:13:14 -0400", ErrSyntax},
		{"YearOfOneDigit", "14 Jun 1 19:13:14 -0400", ErrSyntax},
		{"NoYear", "14 Jun 19:13:14 -0400", ErrSyntax},
		{"NoTime", "14 Jun 1991", ErrSyntax},
		{"HourOnly", "14 Jun 1991 19", ErrSyntax},
		{"MinuteOfOneDigit", "14 Jun 1991 19:1 -0400", ErrSyntax},
		{"ZoneWithoutSign", "14 Jun 1991 19:13:14 0400", ErrSyntax},
		{"OffsetOfThreeDigits", "14 Jun 1991 19:13:14 FOO +020", ErrSyntax},
		{"SecondOfOneDigit", "14 Jun 1991 19:13:1 -0400", ErrSyntax},
		{"OffsetOfThreeDigits", "14 Jun 1991 19:13:14 -040", ErrSyntax},
		{"OffsetOfFiveDigits", "14 Jun 1991 19:13:14 -04000", ErrSyntax},
		{"OffsetWithoutSign", "14 Jun 1991 19:13:14 0400", ErrSyntax},
		{"SignOnly", "14 Jun 1991 19:13:14 -", ErrSyntax},
		{"OffsetColonOnly", "14 Jun 1991 19:13:14 -04:", ErrSyntax},
		{"AsctimeWithoutYear", "Sun Nov  6 08:49:37", ErrSyntax},
		{"AsctimeWithGarbage", "Sun Nov  6 08:49:37 1994 !", ErrSyntax},
		{"RFC3339", "1991-06-14T19:13:14Z", ErrSyntax},
		{"DayZero", "0 Jun 1991 19:13:14 -0400", ErrRange},
		{"Day31OfJune", "31 Jun 1991 19:13:14 -0400", ErrRange},
		{"NoLeapDay", "29 Feb 2001 19:13:14 -0400", ErrRange},
		{"NoLeapDay1900", "29 Feb 1900 19:13:14 -0400", ErrRange},
		{"Hour24", "14 Jun 1991 24:00:00 -0400", ErrRange},
		{"PM13", "14 Jun 1991 13:00:00 PM -0400", ErrRange},
		{"AM0", "14 Jun 1991 0:00:00 am -0400", ErrRange},
		{"Minute60", "14 Jun 1991 19:60:14 -0400", ErrRange},
		{"Second61", "14 Jun 1991 19:13:61 -0400", ErrRange},
		{"OffsetMinute60", "14 Jun 1991 19:13:14 -0460", ErrRange},
		{"Year10000", "14 Jun 10000 19:13:14 -0400", ErrRange},
		{"YearHuge", "14 Jun 18446744073709551616 19:13:14 -0400", ErrRange},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, forgiven, err := Parse(tt.in)
			if !errors.Is(err, tt.want) || !got.IsZero() || forgiven {
				t.Errorf("got %v, %v, %v; want %v", got, forgiven, err, tt.want)
			}
		})
	}
}

// A text of any size takes a fixed number of allocations.
func TestParseAllocations(t *testing.T) {
	const size = 1 << 16
	for _, in := range []string{
		strings.Repeat("(", size), strings.Repeat("()", size/2), strings.Repeat(`\`, size), strings.Repeat("9", size),
		strings.Repeat("x", size), "14 Jun 1991" + strings.Repeat("()", size) + "19:13:14 GMT", "Nov 6 " + strings.Repeat("(a)", size) + " 08:49:37 1994",
		"14 Jun 1991 19:13:14." + strings.Repeat("9", size) + " GMT", "14 Jun 1991 19:13:14 GMT" + strings.Repeat(" x", size),
	} {
		if n := testing.AllocsPerRun(1, func() { Parse(in) }); n > 40 { // a collection of garbage adds some
			t.Errorf("%.20q...: got %v allocations, want at most 40", in, n)
		}
	}
}

func TestParseHTTPDates(t *testing.T) {
	want := time.Date(1994, time.November, 6, 8, 49, 37, 0, time.UTC)
	for _, layout := range []string{http.TimeFormat, "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		in := want.Format(layout)
		if got, _, err := Parse(in); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%q: got %v, %v; want %v", in, got, err, want)
		}
	}
}

var (
	// numericZone finds a zone of which both parsers have the same opinion.
	numericZone = regexp.MustCompile(`[+-][0-9]{4}`)
	// otherZone finds one that only net/mail takes for a zone, or for another.
	otherZone = regexp.MustCompile(`[+-]([0-9]{0,3}([^0-9]|$)|[0-9]{5}|[0-9]{2}60)`)
)

// FuzzParse checks that a text that net/mail takes for a date is one, and the same.
// The exceptions are:
//
//   - line breaks, which net/mail deletes anywhere, inside of words too;
//   - two-digit years from 50 to 68, which net/mail places in the century after the
//     one of RFC 5322;
//   - zones that are names, which net/mail takes from the time zone database of
//     the machine or as Universal Time, a sign with less or more than four
//     digits, which it takes for such a name or cuts, "GMT+3", of which it does
//     not subtract the three hours, and 60 minutes in a zone.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"Fri, 14 Jun 1991 19:13:14 -0400 (EDT)", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
		"Fri Jun 14 19:13:14 EDT 1991", "1 Jan 00 00:00 UT", "Mon, 24 June 2002 09:00:00 GMT", "June 24, 2002 09:00:00 GMT",
		"14 Jun 1991 19:13:14.5 +0530", "14 Jun 91 9:13 MST", "14 Jun 0000 19:13 +0000", "(a(b)\\)) 14 Jun 1991 19:13:60 Z", "14 Jun 1991 19:13:14 GMT+3",
		`"14 Jun 1991 19:13:14 PDT"`, "29 Feb 1900 00:00 -0000",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, forgiven, err := Parse(s)
		if err != nil && (!got.IsZero() || forgiven || err != ErrSyntax && err != ErrRange) {
			t.Fatalf("got %v, %v, %v; want the zero time and an error of this package", got, forgiven, err)
		}
		if err == nil && got.Second() != 0 {
			// A date written in the form of RFC 5322 is that date.
			text := got.Format("Mon, 02 Jan 2006 15:04:05 -0700")
			again, forgiven, err := Parse(text)
			if err != nil || !again.Equal(got.Truncate(time.Second)) || forgiven && got.Year() >= 1900 {
				t.Fatalf("%q: got %v, %v, %v; want %v", text, again, forgiven, err, got.Truncate(time.Second))
			}
		}
		theirs, theirErr := mail.ParseDate(s)
		if theirErr != nil || strings.ContainsAny(s, "\r\n") || otherZone.MatchString(s) {
			return
		}
		if err != nil {
			t.Fatalf("got error %v, want %v as net/mail", err, theirs)
		}
		if year := theirs.Year(); year >= 2050 && year <= 2068 && got.Year() == year-100 {
			theirs = theirs.AddDate(-100, 0, 0)
		}
		if numericZone.MatchString(s) && !got.Equal(theirs) || wall(got) != wall(theirs) {
			t.Fatalf("got %v, want %v as net/mail", got, theirs)
		}
	})
}

// wall returns the date and time that a clock at the place of t shows.
func wall(t time.Time) string { return t.Format("2006-01-02T15:04:05.999999999") }
