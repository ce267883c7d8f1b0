package tnef

import "encoding/binary"

// dictionary is the initial dictionary of compressed RTF (MS-OXRTFCP section
// 2.1.2.1).
const dictionary = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` + "\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// decompress decompresses RTF (MS-OXRTFCP). If the RTF is longer than limit octets,
// it is cut and whole is false. Damaged data are decompressed up to the damage. The
// checksum is ignored.
func decompress(data []byte, limit int64) (rtf []byte, whole bool) {
	const (
		header       = 16
		compressed   = 0x75465A4C
		uncompressed = 0x414C454D
	)
	if len(data) < header {
		return nil, true
	}
	kind := binary.LittleEndian.Uint32(data[8:])
	data = data[header:]
	if kind == uncompressed {
		n := min(int64(len(data)), limit)
		return data[:n], n == int64(len(data))
	}
	if kind != compressed {
		return nil, true
	}
	window := [4096]byte{}
	at := copy(window[:], dictionary)
	put := func(c byte) {
		window[at] = c
		at = (at + 1) % len(window)
		rtf = append(rtf, c)
	}
	for len(data) > 0 {
		flags := data[0]
		data = data[1:]
		for bit := 0; bit < 8 && len(data) > 0; bit++ {
			if int64(len(rtf)) >= limit {
				return rtf[:limit], false
			}
			if flags>>bit&1 == 0 {
				put(data[0])
				data = data[1:]
				continue
			}
			if len(data) < 2 {
				return rtf, true
			}
			token := binary.BigEndian.Uint16(data)
			data = data[2:]
			from := int(token >> 4)
			if from == at {
				return rtf, true // the end
			}
			for range token&0xF + 2 {
				put(window[from])
				from = (from + 1) % len(window)
			}
		}
	}
	return rtf, true
}
