import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redaction.ts'
import { growth } from '../support/cost.ts'

const plain = createRedactor([])

it('takes time linear in the text, whatever its contents', async () => {
  const parts = [
    ...[
      'eyJ-',
      'eyJaaaaaaaa.',
      'password',
      'password = ',
      '://a:',
      'bearer   ',
      '-----BEGIN A ',
      'sk-',
      'sk-a',
    ],
    ...[
      'token="',
      "secret='\\",
      'password=\\',
      'password: a.a.',
      '\\',
      '\\n',
      '"',
      'x-',
      'cookie: a',
      'curl -u ',
      'mysql  ',
    ],
    ...[
      'login a password ',
      'docker login ',
      '://1',
      '://a:@',
      'pass= ',
      'secret_key:"',
      'authorization: a ',
      '\u001b[1m',
      'SG.aaaaaaaaaaaaaaaa',
      'A',
      ' ',
      '1:AA',
    ],
  ]
  const redact = (length: number) => {
    for (const part of parts) {
      plain(part.repeat(length / part.length))
      plain(`password="${part.repeat(length / part.length)}`)
    }
  }
  expect(await growth(redact, 200_000)).toBeLessThan(100)
})
