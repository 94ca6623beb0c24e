// All repetitions are bounded: unbounded ones exhaust the regex engine's stack on texts of several megabytes.

/** Prefixes of keys by issuer, with patterns of the rest. */
const issued: readonly (readonly [beginning: string, rest: string])[] = [
  ['sk-', mixed(16)],
  ['csk-', mixed(16)],
  ['xai-', mixed(16)],
  ['pplx-', mixed(16)],
  ['nvapi-', mixed(16)],
  ['fw_', '[A-Za-z0-9]{16,4096}'],
  ['gsk_', '[A-Za-z0-9]{20,4096}'],
  ['hf_', '[A-Za-z0-9]{20,4096}'],
  ['r8_', '[A-Za-z0-9]{20,4096}'],
  ['tvly-', mixed(16)],
  ['AIza', '[\\w-]{30,4096}'],
  ['ya29\\.', '[\\w.-]{16,4096}'],
  ['GOCSPX-', '[\\w-]{16,4096}'],
  ['(?:AKIA|ASIA)', '[A-Z0-9]{16}(?![A-Z0-9])'],
  ['dapi', '[0-9a-f]{32}'],
  ['do[opr]_v1_', '[0-9a-f]{20,4096}'],
  ['gh[opusr]_', '[A-Za-z0-9]{20,4096}'],
  ['github_pat_', '\\w{20,4096}'],
  ['gl(?:pat|cbt|dt|rt|ptt|soat|ft|imt|agent)-', '[\\w.-]{16,4096}'],
  ['CCIPAT_', '\\w{16,4096}'],
  ['AT(?:ATT|CTT)3', '[\\w=-]{20,4096}'],
  ['dckr_[op]at_', '[\\w-]{16,4096}'],
  ['npm_', '[A-Za-z0-9]{30,4096}'],
  ['pypi-', mixed(16)],
  ['rubygems_', '[0-9a-f]{20,4096}'],
  ['[sr]k_(?:live|test)_', '[A-Za-z0-9]{16,4096}'],
  ['whsec_', '[A-Za-z0-9+/=_-]{16,4096}'],
  ['shp(?:at|ca|pa|ss)_', '[0-9a-fA-F]{20,4096}'],
  ['SK(?=[0-9a-f])', '[0-9a-f]{32}(?![0-9a-z])'],
  ['SG\\.', '[\\w-]{16,4096}\\.[\\w-]{16,4096}'],
  ['key-', '[0-9a-z]{32}(?![\\w-])'],
  ['xox[abeprs]-', '[A-Za-z0-9-]{10,4096}'],
  ['xapp-', '[A-Za-z0-9-]{10,4096}'],
  ['figd_', '[\\w-]{16,4096}'],
  ['lin_(?:api|oauth)_', '[A-Za-z0-9]{16,4096}'],
  ['ntn_', '[A-Za-z0-9]{20,4096}'],
  ['secret_', '[A-Za-z0-9]{30,4096}'],
  ['hv[sbr]\\.', '[\\w-]{16,4096}'],
  ['AGE-SECRET-KEY-', '[A-Z0-9]{16,4096}'],
]

/** At least this many characters, not all lower-case letters: hyphenated words are names. */
function mixed(least: number): string {
  return `(?=[a-z_-]{0,80}[0-9A-Z])[\\w-]{${least},4096}`
}

/** Not after a letter or digit, but after a line end or tab as JSON spells it, or a colour code. */
const wordStart = '(?<![A-Za-z0-9])|(?<=\\\\[nrt])|(?<=\\u001b\\[[\\d;]{0,12}m)'

/** Secrets recognised by their shape. Case-sensitive. */
export const shapedSecrets: readonly string[] = [
  '-----BEGIN (?:[A-Z0-9]{1,40} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----)?',
  `(?:${wordStart})(?:${issued.map(([beginning, rest]) => beginning + rest).join('|')})`,
  // A Telegram bot token.
  '(?<!\\d)\\d{8,10}:AA[\\w-]{30,4096}',
  // A web token: three parts, two of them JSON in base64.
  `(?:${wordStart})(?<![\\w-]{2})eyJ[\\w-]{8,4096}\\.eyJ[\\w-]{8,4096}\\.[\\w-]{0,4096}`,
]

const passwordName = '(?:passw(?:or)?d|passphrase|(?<![a-z0-9])pass|secret)'
const programKey = '(?:(?:secret|encryption|signing|master)[_-]?key)'
const keyName = `(?:(?:api|access|account|private)[_-]?key|${programKey}(?:[_-]?base)?)`
/** The credentials in a settings file of npm. */
const npmName = '(?<![a-z0-9.])_auth'
const secretName = `(?:${passwordName}|${keyName}|pwd|token|${npmName})`

/** Quotes around a text, also in JSON within JSON. */
const quote = `\\\\{0,3}["']`
const bare = `[^\\s"'\\\\&;,<>(){}[\\]]`
/** A value that is a lookup or an expression, or means that there is none. */
const code =
  '\\$|[\\w.]{1,60}\\(|(?:await|new|null|undefined|none|true|false)\\b|[a-z_]\\w{0,40}(?:\\??\\.[a-z_]\\w{0,40}){1,6}(?![\\w.=/+-])'
/** A word that code assigns to a name which also means other things. */
const word = `(?<=(?:(?<![\\w-])pass|_auth|${programKey})[\\s\\\\"':=]{0,8})[a-z_-]{1,15}(?=[\\s"'\\\\;,)}\\]]|$)`
/** A shell's folder (`pwd`), a lower-case word as the token of a language, or such a word. */
const harmless = `(?<=pwd.{0,8})[/~.]|(?<=token.{0,8})[a-z_-]{1,15}(?![\\w.=/+-])|${word}`
const types =
  '(?:string|number|boolean|bool|str|int|bytes|any|unknown|never|required|optional|buffer|uint8array)\\b'
const assign = `${secretName}(?:${quote})?[ \\t]{0,3}(?::?=(?!=)|:(?=\\s{0,3}${quote}))\\s{0,3}`

/** Secrets after a lead, which is a group that is kept. Case-insensitive; `^` and `$` match at lines. */
export const toldSecrets: readonly string[] = [
  `(${assign}(?<!\\\\)")(?!\\$|${harmless})(?:[^"\\\\\\n]|\\\\.){4,4096}`,
  `(${assign}(?<!\\\\)')(?!\\$|${harmless})(?:[^'\\\\\\n]|\\\\.){4,4096}`,
  `(${assign}\\\\{1,3}["'])(?!\\$|${harmless})[^"'\\\\\\n]{4,4096}(?:\\\\{1,8}[^"'\\\\\\n]{1,4096}){0,64}`,
  `(${secretName}[ \\t]{0,3}:?=(?!=)[ \\t]{0,3})(?!${code}|${harmless})${bare}{4,4096}`,
  `(${secretName}:[ \\t]{1,4})(?!${code}|${harmless}|${types})${bare}{4,4096}(?=[ \\t]{0,8}(?:#|$|\\\\[nr]))`,
  `(--${secretName}\\s{1,3}["']?)(?![-$])[^\\s"'[]{4,4096}`,
  `(\\bbearer[ \\t]{1,4})(?=[a-z._-]{0,80}[\\d=~+/])[\\w.~+/=-]{12,4096}`,
  `(\\bauthorization(?:${quote})?[ \\t]{0,3}[:=]\\s{0,3}(?:${quote})?(?:[a-z]{3,10}[ \\t]{1,4})?)(?!\\$|[a-z]{3,10}[ \\t])[^\\s"'\\\\,;<>(){}[\\]]{6,4096}`,
  `(\\bx-[a-z-]{0,40}(?:key|token|secret|auth)(?:${quote})?:[ \\t]{0,4}(?:${quote})?)(?!\\$)${bare}{4,4096}`,
  `(\\b(?:set-)?cookie(?:${quote})?:[ \\t]{0,4}(?:${quote})?)(?=[^\\s=;]{1,100}=)[^\\r\\n"'\\\\]{4,4096}`,
  `(${quote}auth${quote}\\s{0,3}:\\s{0,3}${quote})[\\w+/=-]{8,4096}`,
  `([?&](?:sig|signature|x-amz-signature|x-goog-signature)=)[\\w%+/=-]{8,4096}`,
  `(\\b(?:machine\\s{1,8}\\S{1,200}|default)\\s{1,8}login\\s{1,8}\\S{1,100}\\s{1,8}password\\s{1,8})\\S{2,4096}`,
  `(\\bcurl\\b[^\\n|;&]{0,200}?\\s(?:-u|--user|--proxy-user)[ =]{0,2}["']?[^\\s:"'$]{1,80}:)(?!\\$)[^\\s"']{1,4096}`,
  `(\\b(?:mysql(?:dump|admin)?|mariadb(?:-dump)?)\\b[^\\n|;&]{0,200}?\\s-p)(?![$])[^\\s"']{2,4096}`,
  `(\\b(?:sshpass|docker\\s{1,3}login\\b[^\\n|;&]{0,200}?)\\s{1,3}-p[ \\t]{0,3}["']?)(?!\\$)[^\\s"']{2,4096}`,
  `(://[^\\s/:@"']{0,64}:)(?!\\$)[^\\s/"'[]{1,4096}(?=@)`,
  `(://)(?=[^\\s/:@"']{0,100}\\d)[^\\s/:@"'[]{16,4096}(?=@)`,
  '(\\bhooks\\.slack\\.com/[a-z]{3,20}/)[\\w/+-]{10,4096}',
  '(\\bdiscord(?:app)?\\.com/api/webhooks/\\d{5,25}/)[\\w-]{10,4096}',
]

const shapeHint = new RegExp(`-----BEGIN|:AA|eyJ|${issued.map(([beginning]) => beginning).join('|')}`)
const toldHint = new RegExp(
  `bearer|authorization|cookie|auth\\\\{0,3}["']|[?&](?:x-|sig)|\\bx-[a-z-]{1,40}:|login\\s|curl\\s|mysql|mariadb|sshpass|://[^\\s/]{0,4200}@|hooks\\.slack|webhooks/|--[a-z-]{0,30}(?:pass|secret|token|pwd|key)|(?:passw(?:or)?d|passphrase|(?<![a-z0-9])pass|_auth|secret|pwd|token|key(?:[_-]?base)?)(?:${quote})?[ \\t]{0,3}[=:]`,
  'i',
)

/** Whether a text may contain a secret of a known shape. Cheap: rules out most texts. */
export function mayHoldShape(text: string): boolean {
  return shapeHint.test(text)
}

/** Whether a text may contain a secret that follows its name. Cheap: rules out most texts. */
export function mayTellSecret(text: string): boolean {
  return toldHint.test(text)
}

/** Matches names of fields that hold secrets. */
export const secretField = new RegExp(`(?:${secretName}|^auth|^authorization|^cookie)$`, 'i')
