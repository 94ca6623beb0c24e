import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, redactJson, redactMessage } from '../src/redaction.ts'
import { assistant, text, toolResult } from './support/messages.ts'

const plain = createRedactor([])
const letters = 'aB3'.repeat(20)

describe('a secret is taken out', () => {
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
  ])('that follows its name: %s', (said, kept) => {
    expect(plain(said)).toBe(kept)
  })

  it('that is known, wherever it stands, the longest first', () => {
    const redact = createRedactor(['abcdefgh', 'abcdefgh.$(x)', 'short'])
    expect(redact('xabcdefgh.$(x)y abcdefghi short')).toBe('x[redacted]y [redacted]i short')
  })
})

describe('what is no secret stays', () => {
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
  ])('%s', (said) => {
    expect(plain(said)).toBe(said)
  })
})

it('no known value is left in any text, in whatever it stands', () => {
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
    { numRuns: 300 },
  )
})

it('takes time in proportion to the text, whatever stands in it', () => {
  const parts = [
    'eyJ-',
    'eyJaaaaaaaa.',
    'password',
    'password = ',
    '://a:',
    'bearer   ',
    '-----BEGIN A ',
    'sk-',
  ]
  const started = performance.now()
  for (const part of parts) plain(part.repeat(200_000 / part.length))
  expect(performance.now() - started).toBeLessThan(3_000)
})

it('texts within JSON are redacted, and fields named as secrets whole', () => {
  const value = { password: 'x', list: [`a sk-${letters}`, 1, null], deep: { token: 5, note: 'fine' } }
  expect(redactJson(value, plain)).toEqual({
    password: '[redacted]',
    list: ['a [redacted]', 1, null],
    deep: { token: 5, note: 'fine' },
  })
})

describe('a message', () => {
  const key = `sk-${letters}`

  it('keeps its form, and signatures only of what is unchanged', () => {
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

  it('of a tool loses the secrets of its details too', () => {
    const message = { ...toolResult('a', text(key)), details: { diff: `+${key}` } }
    expect(redactMessage(message, plain)).toEqual({
      ...message,
      content: [text('[redacted]')],
      details: { diff: '+[redacted]' },
    })
  })
})
