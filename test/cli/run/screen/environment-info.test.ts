import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isEmptyFolder } from '../../../../src/cli/run/screen/environment-info.ts'

it('a folder with nothing but a repository is empty, and one that cannot be read is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(isEmptyFolder(folder)).toBe(true)
  mkdirSync(join(folder, '.git'))
  expect(isEmptyFolder(folder)).toBe(true)
  writeFileSync(join(folder, 'a.txt'), '')
  expect(isEmptyFolder(folder)).toBe(false)
  expect(isEmptyFolder(join(folder, 'missing'))).toBe(false)
  expect(isEmptyFolder(join(folder, 'a.txt'))).toBe(false)
})
