import { joinByStars, matchesAny } from '../../globs/compile-glob.ts'

type Environment = Readonly<Record<string, string>>

/**
 * Matches names of secrets by their words: unmistakable ones at the end of any word, short ones only as whole words, and PWD at the
 * very end. The database of pipe's own tasks is one too: a command that reaches it could answer for the user.
 */
const secret =
  /^PIPE_DATABASE_URL$|(?:PASSWORD|PASSWD|PASSPHRASE|SSHPASS|SECRET|TOKEN|CREDENTIAL|(?<!MON|TUR|DON|HOT|LESS)KEY)S?\d*(?![a-z\d])|(?<![a-z\d])(?:PASS|PAT|O?AUTH|COOKIE|DSN|BEARER)S?\d*(?![a-z\d])|.PWD$/i

/** Names that only look like those of secrets, and proxies: without them, no command may reach the network. */
const harmless =
  /^(PWD|OLDPWD|SSH_AUTH_SOCK|REGISTRY_AUTH_FILE|PASSWORD_STORE_DIR|GIT_CONFIG_KEY_\d+|(HTTPS?|ALL|FTP)_PROXY|(https?|all|ftp)_proxy)$/

/** `scheme://user:password@`. */
const urlWithPassword = /:\/\/[^\s/:@?#]*:([^\s/@]+)@/

/**
 * Variables that make bash, git, grep and the like do more, or something else, than their line says. Excludes those of the user's
 * own programs and of the loader (`LD_PRELOAD`): the latter already runs in pipe, and a proxy may depend on it.
 */
const steering = matcher([
  ...['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'BASH_COMPAT', 'POSIXLY_CORRECT', 'PS4', 'BASH_XTRACEFD'],
  ...['PROMPT_COMMAND', 'GLOBIGNORE', 'EXECIGNORE', 'CDPATH', 'FUNCNEST'],
  ...['GIT_EXTERNAL_DIFF', 'GIT_EXEC_PATH', 'GIT_ATTR_SOURCE', 'GIT_NAMESPACE', 'GIT_QUARANTINE_PATH'],
  ...['GIT_LITERAL_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS'],
  // Git writes to files that these name.
  'GIT_TRACE*',
  // The list of `git rev-parse --local-env-vars`: a hook or alias that starts pipe leaves them set.
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

/** Whether bash would take a value for an exported function. Versions of bash differ in its name. */
const isFunction = (value: string): boolean => value.startsWith('() {')

/**
 * The environment of commands, without secrets, variables that steer bash or git unseen by the judge (`BASH_ENV`, functions,
 * `GIT_DIR`), and those in `drop`. `keep` overrides all of these. In both, `*` stands for any characters.
 */
export function childEnvironment(
  env: Environment,
  {
    drop = [],
    keep = [],
  }: { readonly drop?: readonly string[]; readonly keep?: readonly string[] | undefined } = {},
): Record<string, string> {
  const [dropped, kept] = [matcher(drop), matcher(keep)]
  const isDropped = (name: string, value: string) =>
    dropped(name) || steering(name) || isFunction(value) || isSecret(name, value)
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => kept(name) || !isDropped(name, value)),
  )
}

/**
 * Variables that later commands do not take from a program: with them, commands that need no question would run other code, or touch other
 * files than the judge thinks.
 */
const fixed = matcher([
  ...['LD_*', 'DYLD_*', 'GCONV_PATH', 'GLIBC_TUNABLES', 'GIT_CONFIG*', 'GIT_SSH*', 'GIT_ASKPASS'],
  ...['HOME', 'XDG_CONFIG_HOME', 'PWD', 'OLDPWD', 'IFS', 'PIPE_*'],
])

/** Whether a program that the user set up, such as a hook, may set a variable for later commands. */
export function maySetVariable(name: string): boolean {
  return !fixed(name)
}

/** The values of the variables that look like secrets, and the passwords of URLs among them. */
export function secretValues(env: Environment): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!isSecret(name, value)) return []
    const [, password] = urlWithPassword.exec(value) ?? []
    return password === undefined ? [value] : [value, password]
  })
}

function isSecret(name: string, value: string): boolean {
  return (secret.test(name) || urlWithPassword.test(value)) && !harmless.test(name)
}

function matcher(names: readonly string[]): (name: string) => boolean {
  return matchesAny(
    names.map((name) => joinByStars(name.split('*'))),
    { crosses: true },
  )
}

/** Prevents prompts, editors and pagers. A git that only reads then writes no index and runs no hook. */
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

/** Variables that make programs ask in a window, or colour output anyway. */
const insistent = ['SSH_ASKPASS', 'SUDO_ASKPASS', 'FORCE_COLOR', 'CLICOLOR_FORCE']

/** The environment for commands that run unattended. */
export function unattendedEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !insistent.includes(name))
  return { ...Object.fromEntries(kept), ...unattended }
}
