import { describe } from 'vitest'
import {
  allButEditingSource,
  allButReadingEnv,
  anything,
  byDefault,
  envDenied,
} from '../../../support/permission/judged-lines.ts'

describe('coreutils', () => {
  byDefault.allows('only reads what it names', ['sha256sum a.txt', 'md5sum -b a.txt', 'cksum a.txt'])

  byDefault.asks('reads what a list names', [
    'sha256sum -c sums',
    'md5sum --check sums',
    'sha1sum --ch sums',
    'cksum -c sums',
    'sha512sum -wc sums',
  ])

  byDefault.allows('only reads', ['numfmt --to=iec 1000', 'echo 1024 | numfmt --to=iec'])

  byDefault.asks('may do more, or read outside the project', ['base64 -i /etc/passwd'])

  envDenied.allows('shows nothing of the file', ['ls -la .env', 'stat .env'])

  allButReadingEnv.denies('may show the file', ['date -f .env'])

  allButEditingSource.denies('edits the folder', [
    'cp a src/a.ts',
    'mv src/a.ts b',
    'dd if=x of=src/a.ts',
    'install a src/a.ts -Z x',
    'cp --parents src/a.ts .',
    'cp -l src/a.ts x',
    'cp -- -a src/a.ts',
    'cd src && ln -s x/a.ts',
    'ln src/a.ts x',
    'patch -osrc/a.ts x p',
  ])

  allButEditingSource.denies('writes files that begin with a word', ['split a src/x', 'csplit -f src/x a 1'])

  allButEditingSource.refuses('may edit the folder', ['rm -rf "$(cat x)"', 'cp a $(cat x)'])

  allButEditingSource.asks('takes the names of the files from a patch', [
    'patch -p1 < a',
    'patch -p 1 -i a',
    'patch -d . < a',
  ])

  allButEditingSource.allows('writes elsewhere, or nothing', [
    'patch b < a',
    'patch -d lib -p1 < a',
    'patch --dry-run -p1 < a',
    'split -l 10 a',
    'csplit a 1',
  ])

  allButEditingSource.allows('only reads the folder', ['cp src/a.ts lib/', 'cp src/a.ts src/b.ts lib/'])

  anything.asks('writes to a path that decides what runs later', ['install a .git/hooks/pre-commit -Z x'])
})
