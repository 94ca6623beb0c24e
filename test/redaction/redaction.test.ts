import fc from 'fast-check'
import { expect } from 'vitest'
import { createRedactor, redactJson, redactMessage } from '../../src/redaction/redaction.ts'
import { assistant, text, toolResult, user } from '../support/messages/messages.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'

const plain = createRedactor([])

const letters = 'aB3'.repeat(20)
const hex = 'ab3f'.repeat(8)

quickDescribe('redacts a secret', () => {
  it.each([
    `sk-${letters}`,
    `sk-ant-api03-${letters}`,
    `sk_live_${letters}`,
    `ghp_${letters}`,
    `github_pat_${letters}`,
    `glpat-${letters}`,
    'AKIAABCDEFGHIJKLMNOP',
    `AIza${letters}`,
    `xoxb-123456-${letters}`,
    `hf_${letters}`,
    `gsk_${letters}`,
    `npm_${letters}`,
    `xai-${letters}`,
    `pplx-${letters}`,
    `csk-${letters}`,
    `nvapi-${letters}`,
    `fw_${letters}`,
    `r8_${letters}`,
    `SG.${letters}.${letters}`,
    `shpat_${hex}`,
    `dop_v1_${hex}`,
    `pypi-${letters}`,
    `GOCSPX-${letters}`,
    `ya29.${letters}`,
    `glcbt-${letters}`,
    `dckr_pat_${letters}`,
    `hvs.${letters}`,
    `AGE-SECRET-KEY-1${letters.toUpperCase()}`,
    `figd_${letters}`,
    `lin_api_${letters}`,
    `ntn_${letters}`,
    `secret_${letters}`,
    `whsec_${letters}`,
    `xapp-1-${letters}`,
    `ATATT3${letters}`,
    `CCIPAT_${letters}`,
    `dapi${hex}`,
    `tvly-${letters}`,
    `key-${hex}`,
    `SK${hex}`,
    `123456789:AA${letters}`,
    Buffer.from(`sk-${letters}`).toString('base64').replace(/=+$/, ''),
    Buffer.from(`ann:ghp_${letters}`).toString('base64url'),
    `eyJ${letters}.eyJ${letters}.${letters}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${letters}\n${letters}\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----\n${letters} and no end`,
  ])('that has the shape of a key: %s', (key) => {
    expect(plain(`use ${key}`)).toBe('use [redacted]')
  })

  it.each([
    ['password=hunter2', 'password=[redacted]'],
    ['PGPASSWORD="hunter2" psql', 'PGPASSWORD="[redacted]" psql'],
    ['GITHUB_TOKEN=abcd1234 make', 'GITHUB_TOKEN=[redacted] make'],
    ['{"api_key": "abcd1234"}', '{"api_key": "[redacted]"}'],
    ['login --password hunter2 now', 'login --password [redacted] now'],
    ['Authorization: Bearer abcdefgh12345678', 'Authorization: Bearer [redacted]'],
    ['https://ann:hunter2@example.org/x', 'https://ann:[redacted]@example.org/x'],
    ['Authorization: Basic YW5uOmh1bnRlcjI=', 'Authorization: Basic [redacted]'],
    ["-H 'x-api-key: abcd1234'", "-H 'x-api-key: [redacted]'"],
    ['x-api-key: abcd1234', 'x-api-key: [redacted]'],
    [`git clone https://${letters}@example.org/x`, 'git clone https://[redacted]@example.org/x'],
    ['12\tpassword: hunter2\n13\tuser: ann', '12\tpassword: [redacted]\n13\tuser: ann'],
    ['client_secret: hunter2 # new', 'client_secret: [redacted] # new'],
    ['"{\\"api_key\\": \\"abcd1234\\"}"', '"{\\"api_key\\": \\"[redacted]\\"}"'],
    ['password="correct horse \\" battery", next', 'password="[redacted]", next'],
    ['AccountName=a;AccountKey=abcd/1234==;x', 'AccountName=a;AccountKey=[redacted];x'],
    ['https://a.example.org/b?sv=1&sig=abcd%2F1234&x', 'https://a.example.org/b?sv=1&sig=[redacted]&x'],
    ['machine a.org login ann password hunter2', 'machine a.org login ann password [redacted]'],
    ['curl -s -u ann:hunter2 a.org', 'curl -s -u ann:[redacted] a.org'],
    ['mysql -u ann -phunter2 db', 'mysql -u ann -p[redacted] db'],
    ['{"auth": "YW5uOmh1bnRlcjI="}', '{"auth": "[redacted]"}'],
    ['Cookie: a=b; c=d', 'Cookie: [redacted]'],
    [`https://hooks.slack.com/services/T0/B0/${letters}`, 'https://hooks.slack.com/services/[redacted]'],
    [
      `https://discord.com/api/webhooks/12345678/${letters}`,
      'https://discord.com/api/webhooks/12345678/[redacted]',
    ],
    [`https://api.telegram.org/bot123456789:AA${letters}/x`, 'https://api.telegram.org/bot[redacted]/x'],
    [`"one\\nsk-${letters}\\ntwo"`, '"one\\n[redacted]\\ntwo"'],
    ['Server=a;Pwd=hunter2;', 'Server=a;Pwd=[redacted];'],
    ['postgres://admin:Tr0ub4dor@3xyz@db.a.org/x', 'postgres://admin:[redacted]@db.a.org/x'],
    ['"amqp://a:b@c@d@e.org" @f', '"amqp://a:[redacted]@e.org" @f'],
    ['SECRET_KEY=8f7d6e5c4b3a29181706', 'SECRET_KEY=[redacted]'],
    ['SECRET_KEY = "django-insecure-x1&y"', 'SECRET_KEY = "[redacted]"'],
    ["SECRET_KEY = 'abc!d9@x'", "SECRET_KEY = '[redacted]'"],
    ['{"secretKey": "abcdefgh12"}', '{"secretKey": "[redacted]"}'],
    ['ENCRYPTION_KEY=abcd1234', 'ENCRYPTION_KEY=[redacted]'],
    ['signing-key: abcd1234', 'signing-key: [redacted]'],
    ['MASTER_KEY=abcd1234', 'MASTER_KEY=[redacted]'],
    ['SECRET_KEY_BASE=abcd1234', 'SECRET_KEY_BASE=[redacted]'],
    ['//registry.npmjs.org/:_auth=dXNlcjpodW50ZXIyc2VjcmV0', '//registry.npmjs.org/:_auth=[redacted]'],
    ['_auth = "dXNlcjpodW50ZXIy"', '_auth = "[redacted]"'],
    ['pass=hunter22', 'pass=[redacted]'],
    ['user=a&pass: "hunter22"', 'user=a&pass: "[redacted]"'],
  ])('that follows its name: %s', (said, kept) => {
    expect(plain(said)).toBe(kept)
  })

  it('that is known, anywhere in the text, the longest first', () => {
    const redact = createRedactor(['abcdefgh', 'abcdefgh.$(x)', 'short'])
    expect(redact('xabcdefgh.$(x)y abcdefghi short')).toBe('x[redacted]y [redacted]i short')
  })

  it('that is known, as spelled in JSON, a URL or base64', () => {
    const value = 'cor"rect\\ho/rse'
    const redact = createRedactor([value])
    const json = JSON.stringify(value)
    const basic = Buffer.from(`ann:${value}`).toString('base64')
    expect(redact(`${json} ${JSON.stringify(json)} ?a=${encodeURIComponent(value)} ${basic}`)).toBe(
      '"[redacted]" "\\"[redacted]\\"" ?a=[redacted] [redacted]',
    )
  })
})

quickDescribe('keeps text that is no secret', () => {
  it.each([
    'task-runner-configuration-name and desk-abcdefghijklmnopqrstuvwxyz',
    'const token = read()',
    'if (password == given) return',
    'type A = { password: string }',
    'the password is asked for; tokens: 12345',
    'export TOKEN=$OTHER_TOKEN',
    'http://localhost:8080/a@b',
    '-----BEGIN CERTIFICATE-----',
    'basic understanding of bearer tokens',
    'PWD=/home/me OLDPWD=/home/you',
    'token="word"',
    'const apiKey = config.apiKey',
    'const password = await ask(1)',
    'sk-learn-based-classifier-with-a-long-name',
    'interface A {\n  password: string\n  token: Token\n}',
    'please login with password reset',
    'TOKEN=\nmake something',
    '/usr/lib/node_modules/typescript/lib/typescript.js',
    'docker run -u 1000:1000 image; curl https://example.org/a:b',
    'ssh://git@example.org/x https://example.org/@scope/name',
    'see https://example.org:80/a and mail ann@example.org',
    'key=value, public_key=abcd1234, primary key: abcd1234',
    'bypass=12345 compass=north1 passes=1234 trespass: "abcd1234"',
    'pass = await login(1) and pass: string',
    '{ secretKey: config.secretKey, masterKey: string }',
    'pass = second; self._auth = provider; const masterKey = derived',
    'is_auth=abcd1234 use_auth = "enabled"',
    'SECRET_KEY=$OTHER_KEY',
  ])('%s', (said) => {
    expect(plain(said)).toBe(said)
  })
})

sizedIt('leaves no known value in any text', () => {
  const value = fc.string({ minLength: 8, maxLength: 30 })
  const part = fc.oneof(fc.string(), fc.constantFrom('password=', 'sk-', '"', '\n', 'Bearer ', '://a:'))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.array(part), (values, parts) => {
      const said = parts.flatMap((words, i) => [words, values[i % values.length] ?? '']).join('')
      const kept = createRedactor(values)(said)
      const marked = '[redacted]'
      return values.every(
        (secret) => marked.includes(secret) || !kept.split(marked).join('\0').includes(secret),
      )
    }),
    { numRuns: sized(300, 60) },
  )
})
it.each([
  'password="',
  "secret='\\\\",
  'token=1',
  'Cookie: a=',
  'sk-1',
  'AKIA',
  '-----BEGIN PRIVATE KEY-----',
  '://a:',
])('survives megabytes of text that repeats after %s', (beginning) => {
  const long = beginning + 'aB1'.repeat(1_000_000)
  expect(plain(long).slice(-100)).toBe(long.slice(-100))
})

it('redacts texts within JSON, and the whole text of fields named as secrets', () => {
  const value = { password: 'x', list: [`a sk-${letters}`, 1, null], deep: { token: 5, note: 'fine' } }
  expect(redactJson(value, plain)).toEqual({
    password: '[redacted]',
    list: ['a [redacted]', 1, null],
    deep: { token: 5, note: 'fine' },
  })
})

quickDescribe('a message', () => {
  const key = `sk-${letters}`

  it('keeps its form, and the signatures of unchanged blocks only', () => {
    const message = assistant(
      { type: 'thinking', thinking: `the key is ${key}`, signature: 's' },
      { type: 'thinking', thinking: 'nothing', signature: 't' },
      { ...text(`it is ${key}`), providerData: { provider: 'p', data: 1 } },
      { type: 'tool_call', id: 'a', name: 'bash', arguments: { command: `echo ${key}` } },
      { type: 'tool_call', id: 'b', name: 'bash', arguments: null, argumentsRaw: `{"command": "${key}` },
    )
    expect(redactMessage(message, plain)).toEqual({
      ...message,
      content: [
        { type: 'thinking', thinking: 'the key is [redacted]' },
        { type: 'thinking', thinking: 'nothing', signature: 't' },
        text('it is [redacted]'),
        { type: 'tool_call', id: 'a', name: 'bash', arguments: { command: 'echo [redacted]' } },
        {
          type: 'tool_call',
          id: 'b',
          name: 'bash',
          arguments: null,
          argumentsRaw: '{"command": "[redacted]',
        },
      ],
    })
  })

  it('of a summary also loses secrets in what it was to keep', () => {
    const summary = { ...user(text('They talked.')), metadata: { context: '0', keep: `the key ${key}` } }
    expect(redactMessage(summary, plain).metadata).toEqual({ context: '0', keep: 'the key [redacted]' })
  })

  it('of a tool also loses secrets in its details', () => {
    const message = { ...toolResult('a', text(key)), details: { diff: `+${key}` } }
    expect(redactMessage(message, plain)).toEqual({
      ...message,
      content: [text('[redacted]')],
      details: { diff: '+[redacted]' },
    })
  })
})
