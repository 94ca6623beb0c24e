import { describe } from 'vitest'
import {
  allButEditingSource,
  allowedBy,
  anything,
  refusedDespite,
} from '../../../support/permission/judged-lines.ts'

describe('archivers', () => {
  refusedDespite('does more than its first words say', [
    ['tar:*', 'tar cf a.tar --checkpoint-action=exec=x .'],
    ['tar:*', 'tar cf a.tar --checkpoint-=exec=x .'],
    ['tar:*', 'tar --use=x -xf a.tar'],
    ['tar:*', 'tar --rsh=x -xf host:a.tar'],
    ['cpio:*', 'cpio --rsh=x -o'],
    ['tar:*', 'tar --rmt-command=x -cf host:a.tar .'],
  ])

  allButEditingSource.denies('edits the folder', [
    'gzip src/a.ts',
    'rsync -a x/ src/',
    'rsync a src --timeout 3',
    'rsync a src/a.ts --suffix x',
    'rsync --log-file=src/a.ts a b',
    'rsync --remove-source-files src/ b',
    'zip -P pw src/a.zip a',
    'zip -m x src/a.ts',
    'zip -x a src/a.zip b',
    'zip x a -O src/a.zip',
    'tar --remove-file -cf x src/a.ts',
    'tar -cg src/a.ts -f x y',
  ])

  allButEditingSource.denies('unpacks into the folder', [
    'tar -xf a.tar -C src',
    'unzip a.zip -d src/x',
    '7z x -osrc a.zip',
    'cpio -i -D src',
    'jar xf a.jar -C src',
    'unrar x a.rar src/',
    'ar x a.a --output src',
    'dpkg-deb -x a.deb src',
    'dpkg -x a.deb src',
    'unsquashfs -d src a.squashfs',
    'unar -o src a.zip',
    'pigz -d src/a.gz',
    'brotli -d src/a.br',
  ])

  allButEditingSource.asks('may unpack into the folder', [
    'tar -xf a.tar',
    'tar xzf a.tgz',
    'tar --extract --file a.tar',
    'bsdtar -xf a.tar -C .',
    'unzip a.zip',
    'unzip -qo a.zip -d .',
    '7z x a.zip',
    '7zr e a.7z',
    'cpio -idm',
    'jar xf a.jar',
    'jar --extract --file a.jar',
    'unrar x a.rar',
    'ar x a.a',
    'ar -x a.a',
    'unar a.zip',
    'unsquashfs a.squashfs',
    'dpkg -x a.deb .',
    'gunzip -N a.gz',
    'rpm2cpio a.rpm | cpio -idm',
  ])

  allButEditingSource.allows('unpacks elsewhere, or only shows what is packed', [
    'tar -xf a.tar -C out',
    'tar xfC a.tar out',
    'tar -xOf a.tar b',
    'tar -tf a.tar',
    'unzip a.zip -d out',
    'unzip -l a.zip',
    'unzip -p a.zip b',
    '7z x -oout a.zip',
    '7z l a.zip',
    'cpio -it',
    'jar tf a.jar',
    'unrar x a.rar out/',
    'ar t a.a',
    'ar -t x.a',
    'unsquashfs -l a.squashfs',
    'dpkg-deb -x a.deb out',
    'gunzip a.gz',
  ])

  anything.allows('unpacks where it is', ['tar -xf a.tar', 'unzip a.zip', '7z x a.zip'])

  allButEditingSource.allows('only reads the folder', [
    'rsync -a src/ dist/ --timeout 3',
    'rsync -avz --delete src/ dist/',
    'zip -r out.zip src',
    "zip -r out.zip . -x 'src/*'",
    'tar cf out.tar --exclude=x src',
    'tar czf out.tgz src',
    'rsync -a src/ dist/',
    'rsync -a -e ssh src/ h:dist',
    'zip out.zip src/a.ts',
    'gzip -c src/a.ts',
  ])

  anything.asks('writes to a path that decides what runs later', [
    'cpio -i -D .git/hooks',
    'tar cf x --remove-files .husky',
    'rsync a .git/hooks --timeout 3',
    'rsync a .git/hooks -@ 3',
    'rsync a/.bashrc . --suffix x',
  ])

  anything.allows('writes to no such path', ["zip -r out.zip . -x '.git/*'"])
})

describe('tar', () => {
  refusedDespite('has an option, within a cluster, that runs a program', [
    ['tar tf:*', 'tar tf x.tar -vI ./x'],
    ['tar tf:*', 'tar tf x.tar -vF ./x'],
    ['tar:*', 'tar tfI x.tar ./x'],
    ['tar:*', 'tar -xIf ./x x.tar'],
  ])

  allowedBy([
    ['tar:*', 'tar -xvf Files.tar -C Inner'],
    ['tar:*', 'tar xzvf x.tgz'],
    ['tar:*', 'tar -fIndex.tar -t'],
  ])
})
