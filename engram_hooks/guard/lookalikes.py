"""Letters of other scripts that read as Latin ones."""

from __future__ import annotations

# two characters a word: the strange letter, then what it reads as
_PAIRS = """
    аa вb еe ёe зe иn іi їi јj кk мm нh оo рp сc тt уy хx ьb ѕs ԁd ԛq ԝw ѵv һh ӏl пn гr ѡw ғf қk ӊh ү y
    αa βb γy δd εe ζz ηn ιi κk λl μm νv οo ρp σo τt υu χx ωw ϲc ϳj
    աw եe ոn սu հh ցg քp օo ԁd մd ղn ճd ա w
    Ꭰd Ꭱr Ꭲt Ꮃw Ꭺa Ꭻj Ꭼe Ꮪs Ꮯc Ꮮl Ꮇm Ꮋh Ꮤw Ꮩv Ꮢr Ᏼb Ꭺa Ꭵi Ꮎo Ꭾp Ꮐg Ꮶk Ꮓz
    ꭰd ꭱr ꭲt ꮃw ꭺa ꭻj ꭼe ꮪs ꮯc ꮮl ꮇm ꮋh ꮤw ꮩv ꮢr
    ıi ɑa ɡg ɩi ʟl ɪi ɴn ʀr ꜱs ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ʏy ʙb ɢg ʜh ꞁl ℓl ∨v ∪u ɐa ǝe ɹr ʇt ʌv ɯm
    øo đd łl ħh ŧt ǃi ǀl
"""
LOOKALIKES: dict[int, str] = {ord(word[0]): word[1] for word in _PAIRS.split() if len(word) == 2}
