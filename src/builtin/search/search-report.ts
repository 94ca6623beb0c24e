import { type ToolResult, textResult } from '../../tool.ts'
import { limits, limitTexts } from '../tool-limits.ts'
import { rowPath, type Workspace } from '../workspace.ts'
import type { FoundLine, SearchHit, SearchOutput, StaleFile } from './found-line.ts'

/**
 * Formats search results for the model: matches as `path:line:text`, context as `path-line-text`, `--` for gaps; files as `path` or
 * `path:count`.
 */
export class SearchReport {
  readonly #workspace: Workspace
  readonly #output: SearchOutput
  readonly #rows: string[] = []
  #results = 0
  #bytes = 0
  #last: FoundLine | undefined
  #full = false
  #hasContext = false
  #changed = 0

  constructor(workspace: Workspace, output: SearchOutput) {
    this.#workspace = workspace
    this.#output = output
  }

  /** Adds a finding. Returns false once the report is full. */
  add(finding: SearchHit): boolean {
    if (finding.type === 'changed') {
      this.#changed++
      return true
    }
    const row = this.#row(finding)
    this.#bytes += Buffer.byteLength(row) + 1
    if (finding.type === 'file' || finding.isMatch) this.#results++
    this.#full = this.#results > limits.searchResults || this.#bytes > limits.bytes
    if (this.#full) return false
    if (finding.type === 'line') this.#separate(finding)
    this.#rows.push(row)
    return true
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0
  }

  /** `late`: the search hit its time limit. `advice`: shown if nothing was found. `passed`: about links that were passed by. */
  result(late: boolean, advice: readonly string[], passed: readonly string[] = []): ToolResult {
    const notes = [
      ...(this.#full ? ['there is more; narrow it with path, glob or type'] : []),
      ...(late
        ? [`ended after ${limitTexts.searchTime}, there may be more; narrow it with path, glob or type`]
        : []),
      ...(this.#changed > 0
        ? [`left out files that changed during the search (${this.#changed}); search again`]
        : []),
    ]
    if (this.isEmpty && notes.length === 0) return textResult(['no matches', ...advice, ...passed].join('; '))
    return textResult([...this.#rows, ...[...notes, ...passed].map((note) => `[${note}]`)].join('\n'))
  }

  #separate(line: FoundLine): void {
    const last = this.#last
    this.#hasContext ||= !line.isMatch
    const gap = last !== undefined && (last.path !== line.path || last.number + 1 !== line.number)
    if (gap && this.#hasContext) this.#rows.push('--')
    this.#last = line
  }

  #row(finding: Exclude<SearchHit, StaleFile>): string {
    const path = rowPath(this.#workspace, finding.path)
    if (finding.type === 'file') return this.#output === 'count' ? `${path}:${finding.matches}` : path
    const { number, text, isMatch } = finding
    const mark = isMatch ? ':' : '-'
    return `${path}${mark}${number}${mark}${text}`
  }
}
