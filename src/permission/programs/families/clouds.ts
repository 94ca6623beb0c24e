import type { Field } from '../../bash/fields.ts'
import { copiesOf } from '../copying.ts'
import type { Family, Program } from '../program.ts'
import { likelyOutput, orHere } from '../program-options.ts'
import { fieldsAfter, hasWord } from '../word-fields.ts'

/** The paths after a subcommand that copies files to a cloud or from it. The last one is the target. */
function copiedPaths(operands: readonly Field[]): readonly Field[] {
  const at = operands.slice(0, 3).findIndex(({ text }) => copies.test(text) || copiesFolders.test(text))
  return at === -1 ? [] : operands.slice(at + 1)
}

const copies = /^(cp|mv|put|get|copyto|moveto)$/
const copiesFolders = /^(r?sync|bisync|mirror|copy|move)$/

/** `s3://bucket/x`, `remote:x`. */
const isLocal = ({ text }: Field): boolean => !/^[^/]*:/.test(text)

const copier: Program = {
  valued:
    /^(--(profile|region|endpoint-url|output|query|exclude|include|acl|sse|storage-class|content-type|project|config|filter|tag|timeout)|-x)$/,
  outputs: likelyOutput,
  writes: (_, operands) => copiesOf({ remote: true }, copiedPaths(operands)),
  fills: (args, operands) => {
    const isFolder = hasWord(operands.slice(0, 3), copiesFolders) || hasWord(args, /^(-[A-Za-z]*[rR]|--rec)/)
    return isFolder ? copiedPaths(operands).slice(1).slice(-1).filter(isLocal) : []
  },
  gathers: (_, operands) => copiedPaths(operands).slice(0, -1).filter(isLocal),
}

const cloud: Program = { ...copier, wordsAreData: true }

/** The folders that a deployment sends. */
function deployedBy(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const [group, verb, ...folders] = operands
  if (group?.text === 'builds' && verb?.text === 'submit') return orHere(folders)
  return group?.text === 'app' && verb?.text === 'deploy' ? orHere([]) : fieldsAfter(args, /^--source(?==|$)/)
}

/** Clients of clouds, and programs that keep copies of folders elsewhere. */
export const clouds: Family = {
  'aws gsutil': cloud,
  'rclone s3cmd s5cmd mc': copier,
  gcloud: {
    ...cloud,
    gathers: (args, operands) => [...(cloud.gathers?.(args, operands) ?? []), ...deployedBy(args, operands)],
  },
  az: {
    fills: (args) =>
      hasWord(args, /^download-batch$/) ? fieldsAfter(args, /^(-d|--destination)(?==|$)/) : [],
    gathers: (args) => (hasWord(args, /^upload-batch$/) ? fieldsAfter(args, /^(-s|--source)(?==|$)/) : []),
    wordsAreData: true,
  },
  netlify: { gathers: (args) => fieldsAfter(args, /^(-d|--dir)(?==|$)/) },
  'restic borg': {
    fills: (args, [verb]) => {
      if (verb?.text === 'extract') return orHere([])
      return verb?.text === 'restore' ? fieldsAfter(args, /^(-t|--target)(?==|$)/) : []
    },
    gathers: (_, [verb, ...paths]) => (/^(backup|create)$/.test(verb?.text ?? '') ? paths : []),
  },
}
