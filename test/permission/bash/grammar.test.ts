import { expect, it } from 'vitest'
import { loadGrammar } from '../../../src/permission/bash/grammar.ts'
import { grammarFolder } from '../../support/permission/policy.ts'

it('is the same for all who load it, at once too', async () => {
  const [one, other] = await Promise.all([loadGrammar(grammarFolder), loadGrammar(grammarFolder)])
  expect(one).toBe(other)
  const parse = { plain: true, commands: [[[0, 3]]], redirects: [[5, 6]] }
  expect(one.parse('cat <a')).toEqual(parse)
})

it('reports a folder without it, each time', async () => {
  const folder = '/nowhere'
  const report = { code: 'internal', message: `cannot load the bash grammar from ${folder}` }
  await expect(loadGrammar(folder)).rejects.toMatchObject(report)
  await expect(loadGrammar(folder)).rejects.toMatchObject(report)
})
