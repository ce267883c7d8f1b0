package externalbody

const DefaultMessageTime = defaultMessageTime

var NewMention = newMention
