import { expect, it } from 'vitest'
import { childEnvironment, secretValues } from '../../../src/builtin/command/child-env.ts'

/** Returns the names that are kept. */
function left(names: readonly string[], lists?: Parameters<typeof childEnvironment>[1]): readonly string[] {
  return Object.keys(childEnvironment(Object.fromEntries(names.map((name) => [name, 'x'])), lists))
}

it('drops secrets, however their names are written', () => {
  const secrets = [
    'OPENAI_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'npm_config__authToken',
    'PGPASSWORD',
    'db_passwd',
    'SIGNING_PASSPHRASE',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'CLIENT_SECRETS',
    'MYSQL_PWD',
    'SSHPASS',
    'DB_PASS',
    'GH_PAT',
    'NPM_CONFIG__AUTH',
    'npm_config_//registry.example.org/:_password',
    'HTTP_AUTH',
    'DOCKER_AUTH_CONFIG',
    'SESSION_COOKIE',
    'SENTRY_DSN',
    'BEARER',
    'SSH_PRIVATE_KEY_PEM',
    'PRIVATEKEY',
    'openaiKey',
    'MYAPIKEY',
    'HOST_KEYS',
    'SIGNING_KEY_2',
    'TOKEN1',
    'PIPE_DATABASE_URL',
  ]
  expect(left(['PATH', ...secrets, 'HOME'])).toEqual(['PATH', 'HOME'])
})

it('keeps names that only look like secrets, and the way to an ssh agent', () => {
  const names = [
    'SSH_AUTH_SOCK',
    'PWD',
    'OLDPWD',
    'XAUTHORITY',
    'GIT_AUTHOR_NAME',
    'GIT_ASKPASS',
    'PGPASSFILE',
    'PASSWORD_STORE_DIR',
    'REGISTRY_AUTH_FILE',
    'MONKEY',
    'KEYBOARD_LAYOUT',
    'COMPASS',
    'PATH',
    'TOKENIZERS_PARALLELISM',
    'KEYTIMEOUT',
    'LESSKEYIN',
    'GNOME_KEYRING_CONTROL',
  ]
  expect(left(names)).toEqual(names)
})

it('drops and keeps more by name or pattern; keep takes precedence', () => {
  const names = ['DATABASE', 'GITHUB_TOKEN', 'CI_JOB_TOKEN', 'CI_URL', 'XCI_TOKEN', 'PATH']
  const lists = { drop: ['DATABASE', 'CI_*'], keep: ['GITHUB_TOKEN', 'CI_JOB_*'] }
  expect(left(names, lists)).toEqual(['GITHUB_TOKEN', 'CI_JOB_TOKEN', 'PATH'])
  expect(left(['A.B', 'AXB'], { drop: ['A.B'] })).toEqual(['AXB'])
})

it('drops URLs with a password, whatever the name', () => {
  const secrets = {
    DATABASE_URL: 'postgres://me:pass@db.example.org/app',
    REDIS: 'redis://:pass@127.0.0.1:6379',
    JDBC: 'jdbc:mysql://me:pa#ss@db',
    BROKERS: 'amqp://one:5672,amqp://me:pass@two:5672',
  }
  const plain = {
    PWD: '/tmp/a://b:c@d',
    https_proxy: 'http://me:pass@proxy.example.org:8080',
    REPO: 'ssh://git@example.org:22/a.git',
    SITE: 'https://example.org:8080/a:b@c',
    MAIL: 'me:you@example.org',
    CALLBACK: 'https://example.org?at=a:b@c',
  }
  expect(childEnvironment({ ...secrets, ...plain })).toEqual(plain)
  expect(childEnvironment(secrets, { keep: ['REDIS'] })).toEqual({ REDIS: secrets.REDIS })
})

it('drops variables that would secretly steer bash, git or ripgrep, unless kept', () => {
  const steering = [
    ...['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'BASH_COMPAT', 'POSIXLY_CORRECT', 'PS4', 'BASH_XTRACEFD'],
    ...['PROMPT_COMMAND', 'GLOBIGNORE', 'EXECIGNORE', 'CDPATH', 'FUNCNEST'],
    ...['GIT_EXTERNAL_DIFF', 'GIT_EXEC_PATH', 'GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0'],
    ...[
      'GIT_CONFIG_PARAMETERS',
      'GIT_DIR',
      'GIT_WORK_TREE',
      'GIT_INDEX_FILE',
      'GIT_OBJECT_DIRECTORY',
      'GIT_PREFIX',
    ],
    ...['GIT_INTERNAL_SUPER_PREFIX', 'GIT_QUARANTINE_PATH', 'GIT_NAMESPACE', 'GIT_ATTR_SOURCE'],
    ...['GIT_LITERAL_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS', 'GIT_ICASE_PATHSPECS'],
    ...['GIT_TRACE', 'GIT_TRACE2_EVENT', 'GIT_TRACE_CURL'],
    ...['RIPGREP_CONFIG_PATH', 'GREP_OPTIONS', 'TAR_OPTIONS', 'LESSOPEN', 'LESSCLOSE', 'MAKEFLAGS'],
  ]
  const needed = [
    ...['LD_LIBRARY_PATH', 'LD_PRELOAD', 'NODE_OPTIONS', 'PYTHONPATH', 'BASH_VERSION', 'PS1'],
    ...[
      'GIT_CONFIG_GLOBAL',
      'GIT_CONFIG_NOSYSTEM',
      'GIT_SSH_COMMAND',
      'GIT_AUTHOR_EMAIL',
      'GIT_CEILING_DIRECTORIES',
    ],
  ]
  expect(left([...steering, ...needed])).toEqual(needed)
  expect(left(steering, { keep: ['*'] })).toEqual(steering)
})

it('drops functions of bash, whatever their names, unless kept', () => {
  const functions = {
    'BASH_FUNC_ls%%': '() {  echo HIJACK\n}',
    '__BASH_FUNC<ls>()': '() { echo HIJACK; }',
    ls: '() { :;}; echo HIJACK',
  }
  expect(childEnvironment({ ...functions, TEXT: 'f() { :; }' })).toEqual({ TEXT: 'f() { :; }' })
  const { 'BASH_FUNC_ls%%': one } = functions
  expect(childEnvironment(functions, { keep: ['BASH_FUNC_*'] })).toEqual({ 'BASH_FUNC_ls%%': one })
})

it('counts only dropped variables that look like secrets as secret values, and the passwords of their URLs', () => {
  const env = {
    API_KEY: 'k',
    URL: 'https://me:pass@x.org',
    GIT_DIR: '.git',
    GIT_CONFIG_KEY_0: 'user.name',
    A: 'b',
  }
  expect(secretValues(env)).toEqual(['k', 'https://me:pass@x.org', 'pass'])
})

it('does not change values', () => {
  expect(childEnvironment({ PATH: '/bin:$KEY', EMPTY: '' })).toEqual({ PATH: '/bin:$KEY', EMPTY: '' })
})
