import { basename } from 'node:path'
import { hasOption, readArguments } from '../arguments.ts'
import { copied, hasWord, valuesIn, withoutOptions } from '../copying.ts'
import { isDateShown, isProcessList } from '../harmless-calls.ts'
import type { Copying, Family, OptionSpec, Program } from '../program.ts'
import { none, only, textOnly, without } from '../readers.ts'
import { madeUnreadable, movedAway, removedByRm } from '../removing.ts'

const copyingOptions =
  'force interactive no-clobber no-target-directory strip-trailing-slashes update verbose'

/** Changes all its operands. */
const changer: Program = { mayWrite: true, wordsAreData: true, writes: valuesIn }

/** Commands on files and the system that every machine has. */
export const coreutils: Family = {
  ls: {
    reads: { contents: none },
    recursive: /^-[A-Za-z0-9]*R|^--rec/,
    walksNames: true,
    followsLinks: /^-[A-Za-z0-9]*L|^--d\w*e/,
  },
  stat: { reads: { valued: 'c', contents: none } },
  du: {
    reads: { valued: 'dBt', accepts: without('', '--files0-from'), globs: true },
    recursive: 'always',
    walksNames: true,
    followsLinks: /^-[A-Za-z0-9]*L|^--d\w*e/,
  },
  df: { reads: { valued: 'Bt' } },
  'readlink realpath': { reads: { contents: none } },
  'basename dirname seq expr sleep which': { reads: textOnly, opensNone: true },
  'numfmt uname whoami id groups nproc free uptime pgrep': { reads: textOnly },
  arch: { reads: { files: none, accepts: only('') }, wraps: { skips: 0 } },
  hostname: { reads: { files: none, accepts: (_, args) => args.every((arg) => /^-[adfiIs]+$/.test(arg)) } },
  ps: { reads: { files: none, accepts: isProcessList } },
  date: { reads: { valued: 'dr', files: none, accepts: isDateShown } },
  'pkill killall pidof systemctl service': { wordsAreData: true },
  tee: changer,
  'truncate patch': changer,
  sponge: { mayWrite: true, writes: valuesIn },
  'touch rmdir unlink': { ...changer, opensNone: true },
  mkdir: { ...changer, opensNone: true, walksNames: true },
  rm: { ...changer, opensNone: true, walksNames: true, removes: removedByRm },
  'chown chgrp': { ...changer, opensNone: true, walksNames: true },
  chmod: { ...changer, opensNone: true, walksNames: true, removes: madeUnreadable },
  shred: { ...changer, removes: withoutOptions },
  'srm trash': { writes: valuesIn, removes: withoutOptions },
  'mkfifo mknod setfacl chattr': { writes: valuesIn },
  dd: {
    mayWrite: true,
    wordsAreData: true,
    writes: (args) =>
      args.flatMap((field) =>
        field.text.startsWith('of=') ? [{ ...field, text: field.text.slice(3) }] : [],
      ),
  },
  cp: {
    ...copier(
      `abdfHiLnPpRrTuvxt:S: ${copyingOptions} archive recursive dereference no-dereference preserve no-preserve one-file-system reflink sparse backup target-directory= suffix=`,
    ),
    followsLinks: /^-[A-Za-z]*L|^--d\w*e/,
  },
  mv: {
    ...copier(`bfinTuvt:S: ${copyingOptions} backup target-directory= suffix=`, { moves: true }),
    removes: movedAway,
  },
  install: {
    ...copier(
      'bcCdDpsTvg:m:o:t:S: directory compare strip verbose preserve-timestamps no-target-directory backup group= mode= ' +
        'owner= target-directory= suffix=',
    ),
    writes: (args, operands) => (hasWord(args, /^-[A-Za-z]*d|^--d/) ? operands : copied({}, args, operands)),
  },
  ln: {
    ...copier(
      'bfiLnPrsTvt:S: symbolic force interactive logical physical relative no-dereference no-target-directory verbose ' +
        'backup target-directory= suffix=',
    ),
    writesAny: true,
    writes: (args, operands) =>
      operands.length === 1
        ? operands.map((one) => ({ ...one, text: basename(one.text) }))
        : copied({}, args, operands),
  },
  base64: {
    reads: { valued: 'w', accepts: without('o', '--output') },
    doesMore: (args) => hasOption(readArguments(args), 'o', ['--output']),
  },
  'md5sum sha256sum sha512sum cksum': { reads: {} },
  sha1sum: { reads: {}, wordsAreData: true },
  'sum open code': { wordsAreData: true },
}

function copier(options: OptionSpec, copies: Copying = {}): Program {
  return { options, copies, mayWrite: true, wordsAreData: true }
}
