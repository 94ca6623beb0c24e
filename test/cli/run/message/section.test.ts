import { describe, expect, it } from 'vitest'
import { findSection, headingTexts } from '../../../../src/cli/run/message/section.ts'

const lines = [
  'Title', // 1
  '=====',
  'intro',
  '## Goals', // 4
  'one',
  '### In detail ###', // 6
  'two',
  '```sh',
  '# no heading',
  '```',
  '## What `pipe task` does, and why?', // 11
  'three',
  'Later', // 13
  '-----',
  'four',
  '- item',
  '---',
]

describe('a section', () => {
  it.each([
    ['goals', 4, 10],
    ['Goals', 4, 10],
    ['in-detail', 6, 10],
    ['In detail', 6, 10],
    ['what-pipe-task-does-and-why', 11, 12],
    ['later', 13, 17],
    ['title', 1, 17],
  ])('%s goes up to the next heading of its level or above', (name, first, last) => {
    expect(findSection(lines, name)).toEqual({ first, last })
  })

  it.each(['goal', 'no heading', 'no-heading', '', '#', 'item', 'four'])('%j does not exist', (name) => {
    expect(findSection(lines, name)).toBeUndefined()
  })

  it('is found by the headings outside of code', () => {
    expect(headingTexts(lines)).toEqual([
      ...['Title', 'Goals', 'In detail', 'What `pipe task` does, and why?', 'Later'],
    ])
    expect(headingTexts([])).toEqual([])
  })
})
