type Environment = Readonly<Record<string, string>>

/**
 * What names of secrets look like, by their words: those that end in what cannot be anything else, those that are one of the short
 * ones, and PWD at the very end.
 */
const secret =
  /(?:PASSWORD|PASSWD|PASSPHRASE|SSHPASS|SECRET|TOKEN|CREDENTIAL|(?<!MON|TUR|DON|HOT|LESS)KEY)S?\d*(?![a-z\d])|(?<![a-z\d])(?:PASS|PAT|O?AUTH|COOKIE|DSN|BEARER)S?\d*(?![a-z\d])|.PWD$/i

/** What only looks like it, and the way to the network, without which no command gets there. */
const harmless =
  /^(PWD|OLDPWD|SSH_AUTH_SOCK|REGISTRY_AUTH_FILE|PASSWORD_STORE_DIR|GIT_CONFIG_KEY_\d+|(HTTPS?|ALL|FTP)_PROXY|(https?|all|ftp)_proxy)$/

/** `scheme://user:password@`. */
const urlWithPassword = /:\/\/[^\s/:@?#]*:[^\s/@]+@/

/**
 * The environment that commands may see: without variables whose names have a word for a secret in any case (PASSWORD, PASS, TOKEN,
 * KEY, AUTH, COOKIE, DSN and the like) or whose values hold a URL with a password, and those of `drop`; with those of `keep` all the
 * same. `*` in these lists stands for any characters. What is no secret by itself stays, the socket of an ssh agent
 * (`SSH_AUTH_SOCK`) and the working folder (`PWD`) for two.
 */
export function childEnvironment(
  env: Environment,
  { drop = [], keep = [] }: { readonly drop?: readonly string[]; readonly keep?: readonly string[] } = {},
): Record<string, string> {
  const [dropped, kept] = [matcher(drop), matcher(keep)]
  const isSecret = (name: string, value: string) => secret.test(name) || urlWithPassword.test(value)
  const isDropped = (name: string, value: string) =>
    dropped.test(name) || (isSecret(name, value) && !harmless.test(name))
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => kept.test(name) || !isDropped(name, value)),
  )
}

function matcher(names: readonly string[]): RegExp {
  const patterns = names.map((name) => name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'))
  return new RegExp(`^(${patterns.length === 0 ? '(?!)' : patterns.join('|')})$`)
}

/** Nothing may wait for a person, open an editor or page its output. */
const unattended = {
  GIT_TERMINAL_PROMPT: '0',
  GCM_INTERACTIVE: 'never',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  MANPAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
  SSH_ASKPASS_REQUIRE: 'never',
  TERM: 'dumb',
  NO_COLOR: '1',
  AI_AGENT: 'pipe',
}

/** What asks in a window, and what colours all the same. */
const insistent = ['SSH_ASKPASS', 'SUDO_ASKPASS', 'FORCE_COLOR', 'CLICOLOR_FORCE']

/** The same for commands that nobody sits at. */
export function unattendedEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !insistent.includes(name))
  return { ...Object.fromEntries(kept), ...unattended }
}
