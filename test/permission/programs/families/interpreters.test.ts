import { describe } from 'vitest'
import {
  allButEditingSource,
  allButReadingEnv,
  allowedBy,
  anything,
  byDefault,
  refusedDespite,
} from '../../../support/permission/judged-lines.ts'

describe('interpreters', () => {
  byDefault.asks('may do more, or read outside the project', ['node version'])

  byDefault.allows('only asks for a version', [
    'node -v',
    'python3 --version',
    'python -V',
    'ruby -v',
    'perl -v',
    'php --version',
    'java -version',
    'python3 --version && node --version',
    'java -version 2>&1 | head -1',
  ])

  byDefault.asks('may do more than ask for a version', [
    'java -version A',
    'node -v x.js',
    'python3 -v',
    'echo "print(1)" | python3 -v',
    'python3 -VV',
    '/home/user/proj/node -v',
    '/opt/bin/node -v',
  ])

  allButReadingEnv.denies('may show the file', ["bash -c 'cat .env'"])

  refusedDespite('runs its input', [
    ['sh', 'echo "rm -rf x" | sh'],
    ['sh', 'cat a.txt | sh'],
    ['sh', "sh <<< 'rm x'"],
    ['sh', 'sh < a.txt'],
    ['python3', 'cat a.txt | python3'],
    ['python3 -', "python3 - <<'E'\nimport os\nE"],
    ['python3 -u', 'cat a.txt | python3 -u'],
    ['python3 -i a.py', 'cat a.txt | python3 -i a.py'],
    ['node -r ./x', 'cat a.txt | node -r ./x'],
    ['tclsh', 'cat a.txt | tclsh'],
  ])

  allowedBy([
    ['sh a.sh', 'cat a.txt | sh a.sh'],
    ['python3 a.py', 'cat a.txt | python3 a.py'],
    ['python3 -m json.tool', 'cat a.txt | python3 -m json.tool'],
    ["node -e '1'", "cat a.txt | node -e '1'"],
    ['sh:*', 'cat a.txt | sh'],
    ['python3:*', 'cat a.txt | python3'],
  ])

  allButReadingEnv.asks('has code that names the file', [
    `python3 -c 'print(open(".env").read())'`,
    `node -e 'console.log(require("fs").readFileSync(".env", "utf8"))'`,
    `ruby -e "puts File.read('.env')"`,
    "python3 - <<'EOF'\nprint(open('.env').read())\nEOF",
  ])

  allButEditingSource.asks('has code that may edit the folder', [
    `python3 -c 'open("src/a.ts", "w")'`,
    "python3 - <<'EOF'\np = 'src/a.ts'\ns = open(p).read()\nopen(p, 'w').write(s)\nEOF",
    `node <<'EOF'\nrequire("fs").writeFileSync("src/a.ts", "")\nEOF`,
    `echo 'open("src/a.ts","w")' | python3`,
    `perl -e 'open F, ">src/a.ts"'`,
    `bash -c "python3 -c 'import os; os.unlink(\\"src/a.ts\\")'"`,
    `python3 -c '${Array.from({ length: 500 }, (_, i) => `print("${i}")`).join(';')}; open(x, "w")'`,
  ])

  allButEditingSource.allows('has code that only reads the folder, or changes other files', [
    `python3 -c 'print(open("src/a.ts").read())'`,
    `python3 -c 'out = []; out.append("{} > {}".format(open("src/a.ts").read(), 1))'`,
    `node -e 'require("fs").writeFileSync("dist/a.js", "")'`,
    `awk '/"src\\/a.ts"/' dist/a.js`,
  ])

  allButEditingSource.denies('makes an environment in the folder', [
    'python3 -m venv src/v',
    'python -m virtualenv src/v',
    'virtualenv src/v',
    'uv venv src/v',
    'uv init src/x',
  ])
  allButEditingSource.denies('unpacks into the folder', ['python3 -m zipfile -e a.zip src'])
  allButEditingSource.asks('may unpack into the folder', ['python3 -m tarfile -e a.tar'])
  allButEditingSource.allows('unpacks elsewhere, or only lists', [
    'python3 -m zipfile -e a.zip out',
    'python3 -m zipfile -l a.zip',
  ])
  allButEditingSource.allows('makes an environment elsewhere', ['python3 -m venv .venv', 'uv venv .venv'])

  allButEditingSource.denies('edits the folder', [
    "perl -e 'unlink @ARGV' src/a.ts",
    "ruby -e 'File.delete ARGV[0]' src/a.ts",
  ])

  anything.asks('writes to a path that decides what runs later', ['ruby -i -pe 1 .bashrc'])
})
