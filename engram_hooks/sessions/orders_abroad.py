"""Standing orders and decisions in German, French and Spanish."""

from __future__ import annotations

from engram_hooks.sessions.patterns import Rule, compile_pattern

ORDERS_ABROAD: tuple[Rule, ...] = (
    Rule(
        "gives a standing order (German)",
        "feedback",
        0.8,
        compile_pattern(
            r"""^(?:(?:bitte )?(?P<note>(?:ab (?:jetzt|sofort)|in zukunft|künftig|von nun an
            |grundsätzlich) .{6,}|(?:immer|nie|niemals|nie wieder) .{4,}(?:en|ern|eln)\b[^,]*
            |(?:verwende?|benutze?|nutze?|schreibe?|antworte) (?:bitte )?(?:immer|nie|niemals) .{3,}
            |wir (?:verwenden|benutzen|nutzen|schreiben|committen) (?:immer|nie|niemals|kein\w*|hier
            |grundsätzlich) .{3,}))"""
        ),
        never=compile_pattern(r"\b(?:ich|du|leben)\b"),
        words=3,
    ),
    Rule(
        "gives a standing order (French)",
        "feedback",
        0.8,
        compile_pattern(
            r"""^(?P<note>(?:désormais|dorénavant|à partir de maintenant),? .{6,}|(?:toujours
            |ne jamais|jamais) \w+(?:er|ir|re) .{3,}|(?:utilise[zr]?|réponds|répondez|écris
            |écrivez) (?:toujours|jamais) .{3,}|n'\w+[ez] jamais .{3,}|(?:on|nous) (?:utilise|utilisons
            |n'utilise|n'utilisons) (?:toujours|jamais|pas|que) .{3,})"""
        ),
        words=3,
    ),
    Rule(
        "gives a standing order (Spanish)",
        "feedback",
        0.8,
        compile_pattern(
            r"""^(?P<note>(?:a partir de ahora|de ahora en adelante),? .{6,}|(?:siempre
            |nunca) (?:us[ae]s?|utiliz?[ae]s?|utilices|ejecuta|ejecutes|escribe|escribas|responde|hagas
            |haz|añadas|agregues|subas) .{3,}|(?:usa|utiliza|escribe|responde|ejecuta) siempre .{3,}
            |(?:siempre|nunca) usamos .{3,})"""
        ),
        words=3,
    ),
    Rule(
        "announces a decision",
        "decision",
        0.75,
        compile_pattern(
            r"""^(?P<note>(?:wir haben (?:uns )?(?:für|gegen|dazu) .{2,60} entschieden
            |wir haben (?:beschlossen|entschieden),? .{4,}|(?:nous avons|on a) décidé (?:de|d'
            |que) ?.{4,}|hemos decidido .{4,}|(?:je préfère|prefiero) .{6,}).*)"""
        ),
        words=3,
    ),
)
