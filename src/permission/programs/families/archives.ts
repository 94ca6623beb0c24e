import { dirname } from 'node:path'
import type { Field } from '../../bash/fields.ts'
import { behindFirst, withoutOptions } from '../copying.ts'
import { saysIf } from '../dangers.ts'
import type { Family, OptionSpec, Program } from '../program.ts'
import { orHere } from '../program-options.ts'
import { isRemoteFile } from '../remote-programs.ts'
import { fieldsAfter, hasOne, hasWord, textsOf } from '../word-fields.ts'

const tarOptions: OptionSpec =
  'cxtruAvzjJZapPhkmSOf:C:T:X:I: create extract get list append update catenate concatenate delete verbose gzip ' +
  'bzip2 xz zstd auto-compress dereference preserve-permissions same-owner no-same-owner numeric-owner no-recursion ' +
  'exclude-vcs totals sort file= directory= exclude= exclude-from= files-from= strip-components= transform= owner= ' +
  'group= mode= mtime='

const tar: Program = {
  options: tarOptions,
  writes: writtenByTar,
  fills: filledByTar,
  recursive: 'always',
  followsLinks: /^-?[A-Za-z]*[hL]|^--d\w*e/,
  runs: /^(--to-c[a-z-]*|--checkpoint-[a-z-]*|--use[a-z-]*|--inf[a-z-]*|--new-[a-z-]*|--rs[a-z-]*|--rm[a-z-]*|-[^-fCTXgVNKHLb]*[IF])/,
  doesMore: ([first = '']) => /^[A-Za-z]*[IF][A-Za-z]*$/.test(first),
  removes: (args) => (hasWord(args, /^--remove-files$/) ? withoutOptions(args) : []),
  mayWrite: 'unknown words',
  readsListed: isListedForTar,
  wordsAreData: true,
}

/** Replaces its operands unless an option prevents that. */
const compressor: Program = {
  outputs: /^--output-dir-[a-z]+/,
  writes: (args, operands) => (hasWord(args, /^-[A-Za-z]*[clt]|^--(st|to-st|l|te)/) ? [] : operands),
}

/** Commands that pack, compress and mirror files. */
export const archives: Family = {
  'tar gtar bsdtar': tar,
  rsync: {
    danger: saysIf(/^[^/]*:/, 'uses the network'),
    options:
      'avzrlptgoDHAXSPhqucnWxLkKi468yse:f:B: archive verbose compress recursive links perms times checksum update ' +
      'dry-run progress stats human-readable quiet delete delete-after delete-before delete-delay delete-during ' +
      'delete-excluded ignore-existing existing inplace partial numeric-ids no-owner no-group no-perms size-only ' +
      'itemize-changes hard-links copy-links whole-file exclude= include= filter= exclude-from= include-from= ' +
      'files-from= rsh= chmod= bwlimit= timeout= max-size= min-size= info= port=',
    copies: { remote: true, contents: true },
    removes: (args) => (hasWord(args, /^--del/) ? withoutOptions(args).slice(-1) : []),
    isRemoteFile,
    recursive: 'always',
    followsLinks: /^-[A-Za-z]*[Lk]|^--copy/,
    runs: /^(-[A-Za-z]*e|--rsh|--rsync-path)/,
    mayWrite: 'unknown words',
    wordsAreData: true,
  },
  zip: {
    options: 'rqvjyXDugeo0123456789x*i* recurse-paths quiet verbose junk-paths symlinks',
    writes: (_, operands) => operands.slice(0, 1),
    recursive: 'always',
    followsLinks: 'always',
    runs: /^(-[A-Za-z]*TT|--unz[a-z-]*)/,
    readsListed: hasOne(/^-[A-Za-z]*@/),
    mayWrite: 'unknown words',
  },
  unzip: {
    outputs: /^-[a-zA-Z]*?d/,
    writes: (_, operands) => behindFirst(operands),
    // Lists, tests, or prints.
    fills: (args) =>
      hasWord(args, /^-[A-Za-z]*[cltpvzZ]/) ? [] : orHere(fieldsAfter(args, /^-[a-zA-Z]*?d/)),
    mayWrite: 'unknown words',
    wordsAreData: true,
  },
  '7z 7za 7zz': {
    outputs: /^-o/,
    writes: (_, [verb, archive]) =>
      archive !== undefined && /^(a|u|d|rn)$/.test(verb?.text ?? '') ? [archive] : [],
    fills: filledBy7z,
    gathers: packedByVerb,
    readsListed: hasOne(/^(@|-i[a-z]*@)/),
    recursive: 'always',
  },
  ar: {
    writes: ([mode, archive]) => (archive !== undefined && /[rqdms]/.test(mode?.text ?? '') ? [archive] : []),
    fills: (args, [mode]) =>
      hasWord(args.slice(0, 1), /^-[a-z]*x/) || /^[a-z]*x\w*$/.test(mode?.text ?? '')
        ? orHere(fieldsAfter(args, /^--output/))
        : [],
  },
  '7zr': {
    fills: filledBy7z,
    gathers: packedByVerb,
    readsListed: hasOne(/^(@|-i[a-z]*@)/),
    recursive: 'always',
  },
  'unrar rar': {
    writes: (_, [verb, archive]) =>
      archive !== undefined && /^(a|c|d|f|k|m|r|rn|s|u)/.test(verb?.text ?? '') ? [archive] : [],
    fills: (_, [verb, , ...rest]) => (/^[ex]$/.test(verb?.text ?? '') ? orHere(rest.slice(-1)) : []),
    gathers: packedByVerb,
    readsListed: hasOne(/^@/),
    recursive: 'always',
  },
  cpio: {
    outputs: /^(-[A-Za-z]*?[DFO]|--(directory|file))/,
    writes: (args, operands) => (hasWord(args, /^-[A-Za-z]*p|^--pass/) ? operands : []),
    fills: filledByCpio,
    readsListed: hasOne(/^(-[A-Za-z]*[op]|--(create|pass))/),
    runs: /^--rs[a-z-]*/,
  },
  'gzip gunzip': { ...compressor, fills: filledByName, wordsAreData: true },
  'bzip2 xz zstd': { ...compressor, wordsAreData: true },
  'pigz unpigz': { ...compressor, fills: filledByName },
  'lz4 pbzip2 lbzip2 pixz lzip plzip lrzip lzop brotli': compressor,
  unar: { fills: (args) => orHere(fieldsAfter(args, /^(-o|--?output-directory)(?==|$)/)) },
  'dpkg-deb': {
    fills: (args, [, ...folders]) =>
      hasWord(args, /^(-[xXR]|--(extract|vextract|raw-extract))$/) ? folders : [],
  },
  unsquashfs: {
    fills: (args) =>
      hasWord(args, /^-(l|ll|lls|llc|lln|lc|s|stat|cat)$/) ? [] : orHere(fieldsAfter(args, /^-(d|dest)$/)),
  },
  'bunzip2 unxz unzstd lzma unlzma compress uncompress': compressor,
}

/** The folders of files that get the name they had when they were compressed. */
function filledByName(args: readonly Field[], files: readonly Field[]): readonly Field[] {
  const isNamed = hasWord(args, /^(-[A-Za-z]*N|--name)/)
  return isNamed ? files.map((file) => ({ ...file, text: dirname(file.text) })) : []
}

/** Whether tar packs files that a list names. */
function isListedForTar([first = '', ...args]: readonly string[]): boolean {
  const isOld = /^[A-Za-z]+$/.test(first)
  const isListed = hasOne(/^(-[^-fCXgVNKHLbI]*T|--files)/)([first, ...args]) || (isOld && first.includes('T'))
  return isListed && !hasOne(/^(-[A-Za-z]*[xt]|--(ext|ge|li))/)([isOld ? `-${first}` : first, ...args])
}

/** Without names, `7z a` and `rar a` pack the folder that they run in. */
function packedByVerb(_: readonly Field[], [verb, archive, ...rest]: readonly Field[]): readonly Field[] {
  const packs = /^[aufm]$/.test(verb?.text ?? '') && archive !== undefined && rest.length === 0
  return packs ? orHere([]) : []
}

/** Options of tar that name the folder to extract to. */
const entered = /^(-[A-Za-z]*?C|--di[a-z]*|--cd)/

/** The folder that tar extracts to. In the old style, its name is among the operands. */
function filledByTar(args: readonly Field[]): readonly Field[] {
  const [first] = args
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(first.text)
  const has = (mode: RegExp) => hasWord(args, mode) || (isOld && mode.test(`-${first.text}`))
  if (!has(/^-[A-Za-z]*x|^--(ext|ge)/) || has(/^(-[A-Za-z]*O|--to-)/)) return []
  return isOld && first.text.includes('C') ? [] : orHere(fieldsAfter(args, entered))
}

function filledBy7z(args: readonly Field[], [verb]: readonly Field[]): readonly Field[] {
  return /^[ex]$/.test(verb?.text ?? '') ? orHere(fieldsAfter(args, /^-o/)) : []
}

/** The folder that cpio extracts to, or copies to. */
function filledByCpio(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  if (hasWord(args, /^(-[A-Za-z]*t|--list)/)) return []
  if (hasWord(args, /^(-[A-Za-z]*p|--pass)/)) return operands
  const isExtraction = hasWord(args, /^(-[A-Za-z]*i|--ext)/)
  return isExtraction ? orHere(fieldsAfter(args, /^(-[A-Za-z]*?D|--directory)/)) : []
}

/** The paths that tar writes or removes: extracted files and their folder, the archive it makes, or the files it removes. */
function writtenByTar(args: readonly Field[], operands: readonly Field[]): readonly Field[] {
  const [first] = args
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(first.text)
  const letters = isOld ? [`-${first.text}`] : []
  const modes = [...letters, ...textsOf(args)]
  const has = (mode: RegExp) => modes.some((text) => mode.test(text))
  if (has(/^--remove-files$/)) return operands
  if (has(/^-[A-Za-z]*x|^--(ext|ge)/))
    return [...operands, ...fieldsAfter(args, entered), ...fieldsAfter(args, /^--one[a-z-]*/)]
  if (!has(/^-[A-Za-z]*[cruA]|^--(cr|app|up|cat|con|del)/)) return []
  // In the old style, values follow the cluster of letters, one for each letter that takes one.
  const values = isOld ? args.slice(1, 1 + first.text.replace(/[^bfCTXgVNKHLFI]/g, '').length) : []
  return [...values, ...fieldsAfter(args, /^(-[A-Za-z]*?f|--fi[a-z]*)/)]
}
