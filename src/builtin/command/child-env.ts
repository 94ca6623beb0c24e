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
 * What has bash, git, grep and the like do something else than their line says, or run more. Not what the person's own programs
 * need, and not what the loader reads (`LD_PRELOAD`): that runs in pipe already, and may be all that takes it through a proxy.
 */
const steering = matcher([
  ...['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'BASH_COMPAT', 'POSIXLY_CORRECT', 'PS4', 'BASH_XTRACEFD'],
  ...['PROMPT_COMMAND', 'GLOBIGNORE', 'EXECIGNORE', 'CDPATH', 'FUNCNEST'],
  ...['GIT_EXTERNAL_DIFF', 'GIT_EXEC_PATH', 'GIT_ATTR_SOURCE', 'GIT_NAMESPACE', 'GIT_QUARANTINE_PATH'],
  ...['GIT_LITERAL_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS'],
  // Their values may be files, which git then writes to.
  'GIT_TRACE*',
  // As `git rev-parse --local-env-vars` has them: a hook, or an alias, that starts pipe leaves them.
  ...['GIT_CONFIG', 'GIT_CONFIG_PARAMETERS', 'GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_*', 'GIT_CONFIG_VALUE_*'],
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_IMPLICIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_PREFIX'],
  ...['GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_GRAFT_FILE', 'GIT_SHALLOW_FILE'],
  ...['GIT_NO_REPLACE_OBJECTS', 'GIT_REPLACE_REF_BASE', 'GIT_INTERNAL_SUPER_PREFIX'],
  ...[
    'RIPGREP_CONFIG_PATH',
    'GREP_OPTIONS',
    'TAR_OPTIONS',
    'LESSOPEN',
    'LESSCLOSE',
    'MAKEFLAGS',
    'GNUMAKEFLAGS',
    'MFLAGS',
    'MAKEFILES',
  ],
])

/** What bash takes for a function, under whichever name its versions look for one. */
const isFunction = (value: string): boolean => value.startsWith('() {')

/**
 * The environment that commands may see: without variables whose names have a word for a secret in any case (PASSWORD, PASS, TOKEN,
 * KEY, AUTH, COOKIE, DSN and the like) or whose values hold a URL with a password, without what would steer bash or git behind the
 * back of who judged a line (`BASH_ENV`, functions, `GIT_DIR`), and without those of `drop`; with those of `keep` all the same. `*`
 * in these lists stands for any characters. What is no secret by itself stays, the socket of an ssh agent (`SSH_AUTH_SOCK`) and
 * the working folder (`PWD`) for two.
 */
export function childEnvironment(
  env: Environment,
  { drop = [], keep = [] }: { readonly drop?: readonly string[]; readonly keep?: readonly string[] } = {},
): Record<string, string> {
  const [dropped, kept] = [matcher(drop), matcher(keep)]
  const isDropped = (name: string, value: string) =>
    dropped.test(name) || steering.test(name) || isFunction(value) || isSecret(name, value)
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => kept.test(name) || !isDropped(name, value)),
  )
}

/** The values of the variables that look like secrets. */
export function secretValues(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => (isSecret(name, value) ? [value] : []))
}

function isSecret(name: string, value: string): boolean {
  return (secret.test(name) || urlWithPassword.test(value)) && !harmless.test(name)
}

function matcher(names: readonly string[]): RegExp {
  const patterns = names.map((name) => name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'))
  return new RegExp(`^(${patterns.length === 0 ? '(?!)' : patterns.join('|')})$`)
}

/** Nothing may wait for a person, open an editor or page its output; a git that only reads writes no index and runs no hook. */
const unattended = {
  GIT_TERMINAL_PROMPT: '0',
  GCM_INTERACTIVE: 'never',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
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
