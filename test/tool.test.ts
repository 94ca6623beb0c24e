import { describe, expect, it } from 'vitest'
import { errorResult, textResult } from '../src/tool.ts'
import { text } from './support/messages.ts'

describe('the result of a tool', () => {
  it('is its text', () => {
    expect(textResult('two\nlines')).toStrictEqual({ content: [text('two\nlines')], isError: false })
  })

  it('says so where there was no output, because servers refuse empty results', () => {
    expect(textResult('').content).toEqual([text('(no output)')])
    expect(errorResult('').content).toEqual([text('(no output)')])
    expect(textResult(' ').content).toEqual([text(' ')])
  })

  it('that failed is an error', () => {
    expect(errorResult('no such file')).toStrictEqual({ content: [text('no such file')], isError: true })
  })

  it('carries what only people and audits need, a null too', () => {
    expect(textResult('x', { exit_code: 0 }).details).toEqual({ exit_code: 0 })
    expect(errorResult('x', null)).toStrictEqual({ content: [text('x')], isError: true, details: null })
  })
})
