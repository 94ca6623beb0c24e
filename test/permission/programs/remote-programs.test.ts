import { describe, expect, it } from 'vitest'
import { untilHost } from '../../../src/permission/programs/remote-programs.ts'

const wordsOf = (line: string) => untilHost(line.split(' '))?.join(' ')

describe('the words of ssh up to the host', () => {
  it.each([
    ['ssh web1.example rm -rf x', 'ssh web1.example'],
    ['ssh me@web1.example', 'ssh me@web1.example'],
    ['ssh -4Ct -p 22 -lme web1.example ls', 'ssh -4Ct -p 22 -lme web1.example'],
    ['ssh -ti key web1.example ls', 'ssh -ti key web1.example'],
  ])('%s: are %s', (line, words) => {
    expect(wordsOf(line)).toBe(words)
  })

  it.each([
    'ssh',
    'ssh localhost rm x',
    'ssh 127.0.0.1 rm x',
    'ssh 0x7f000001 rm x',
    'ssh web1.example -v rm x',
    'ssh -o HostName=localhost web1.example rm x',
    'ssh -F f web1.example rm x',
    'ssh -J a web1.example rm x',
    'ssh -l -x web1.example rm x',
    'ssh -- web1.example rm x',
    'mosh web1.example rm x',
  ])('%s: are not certain', (line) => {
    expect(wordsOf(line)).toBeUndefined()
  })
})
