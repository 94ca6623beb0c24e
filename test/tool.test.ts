import { describe, expect, it } from 'vitest'
import { errorResult, textResult } from '../src/tool.ts'
import { text } from './support/messages/messages.ts'

describe('the result of a tool', () => {
  it('contains the text', () => {
    expect(textResult('two\nlines')).toStrictEqual({ content: [text('two\nlines')], isError: false })
  })

  it('reports missing output, because servers reject empty results', () => {
    expect(textResult('').content).toEqual([text('(no output)')])
    expect(errorResult('').content).toEqual([text('(no output)')])
    expect(textResult(' ').content).toEqual([text(' ')])
  })

  it('is an error after a failure', () => {
    expect(errorResult('no such file')).toStrictEqual({ content: [text('no such file')], isError: true })
  })

  it('keeps details for users and audits, even null', () => {
    expect(textResult('x', { exit_code: 0 }).details).toEqual({ exit_code: 0 })
    expect(errorResult('x', null)).toStrictEqual({ content: [text('x')], isError: true, details: null })
  })
})
