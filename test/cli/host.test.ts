import { isAbsolute } from 'node:path'
import { expect, it } from 'vitest'
import { findHome } from '../../src/cli/host.ts'

it('uses HOME as the home folder', () => {
  expect(findHome('/home/ada')).toBe('/home/ada')
})

it.each([undefined, '', 'here', './here'])('asks the system if HOME is %j', (given) => {
  expect(isAbsolute(findHome(given))).toBe(true)
})
