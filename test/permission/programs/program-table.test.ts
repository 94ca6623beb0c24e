import { describe, expect, it } from 'vitest'
import { families, programOf } from '../../../src/permission/programs/program-table.ts'

const names = families.flatMap((family) => Object.keys(family).flatMap((key) => key.split(' ')))

describe('the table of programs', () => {
  it('has one row for a name', () => {
    const repeated = names.filter((name, i) => names.indexOf(name) !== i)
    expect(repeated).toEqual([])
  })

  it('has names in lower case only, because commands are looked up so', () => {
    expect(names.filter((name) => name !== name.toLowerCase() || name === '')).toEqual([])
  })

  it.each([
    ['python3.12', 'python3'],
    ['pypy', 'python3'],
    ['lua5.4', 'osascript'],
  ])('reads %s as the language of %s', (name, known) => {
    expect(programOf(name)?.language).toEqual(programOf(known)?.language)
    expect(programOf(name)?.language).toBeDefined()
  })

  it('has a row for a compiler of another machine', () => {
    expect(programOf('x86_64-linux-gnu-gcc-12')?.outputs).toEqual(programOf('gcc')?.outputs)
  })

  it.each(['', 'constructor', 'no-such-program'])('has no row for %j', (name) => {
    expect(programOf(name)).toBeUndefined()
  })
})
