import { describe } from 'vitest'
import {
  allButEditingSource,
  allButReadingEnv,
  allowedBy,
  refusedDespite,
} from '../../../support/permission/judged-lines.ts'

describe('clients of databases', () => {
  allButEditingSource.denies('write to the folder', [
    "sqlite3 x.db '.output src/a.sql'",
    "sqlite3 x.db 'select 1;\n.once src/a.sql'",
    "sqlite3 x.db '.backup main src/a.db'",
    `sqlite3 x.db "vacuum into 'src/a.db'"`,
    `sqlite3 x.db "select writefile('src/a', x)"`,
    "psql -c '\\o src/x'",
    `psql -c "\\copy t to 'src/x'"`,
    'psql --out=src/x',
    'pg_dump -Fcf src/x db',
    'pg_dump --fil=src/x db',
    'mysqldump --res=src/x db',
    'mysqldump -T src db',
  ])

  allButReadingEnv.denies('read the file', [
    `duckdb -c "select * from read_text('.env')"`,
    `mysql -e "load data local infile '.env' into table t"`,
  ])

  allButEditingSource.denies('change a database in the folder', [
    "sqlite3 src/a.db 'create table t (a)'",
    "sqlite3 -cmd x src/a.db 'select 1; delete from t'",
    'sqlite3 src/a.db',
    "duckdb src/a.db 'create table t (a int)'",
    `duckdb -c "copy t to 'src/a.csv'"`,
    "sqlite3 src/a.db 'with x as (select 1) insert into t select 1'",
  ])

  allButEditingSource.allows('only read a database', [
    "sqlite3 src/a.db 'select * from t'",
    "sqlite3 src/a.db '.schema'",
    "sqlite3 -readonly src/a.db 'create table t (a)'",
  ])

  allButEditingSource.allows('write elsewhere', [
    "sqlite3 src/a.db 'select 1'",
    "sqlite3 x.db '.output stdout'",
    "psql -c '\\copy t from src/x'",
  ])

  allButReadingEnv.denies('read the file', [`sqlite3 x.db "select readfile('.env')"`])
})

describe('sqlite3', () => {
  refusedDespite('has a dot command that runs programs or opens files', [
    ['sqlite3:*', "sqlite3 db '.shell x'"],
    ['sqlite3:*', "sqlite3 db 'select 1;\n.system x'"],
    ['sqlite3:*', "sqlite3 db '.sh x'"],
    ['sqlite3:*', "sqlite3 db ' \t.sy x'"],
    ['sqlite3:*', "sqlite3 db '.import /etc/passwd t'"],
    ['sqlite3:*', "sqlite3 db '.output |x'"],
    ['sqlite3:*', "sqlite3 db '.once x'"],
    ['sqlite3:*', "sqlite3 db '.open /x'"],
    ['sqlite3:*', "sqlite3 db '.load x'"],
    ['sqlite3:*', "sqlite3 db '.excel'"],
    ['sqlite3:*', "sqlite3 db '.read x'"],
    ['sqlite3:*', "sqlite3 db '.ar -x'"],
    ['sqlite3:*', "sqlite3 db '.save x'"],
    ['sqlite3:*', 'sqlite3 -Axf x.zip'],
    ['sqlite3:*', `sqlite3 db "select edit('a', 'x')"`],
    ['sqlite3:*', `sqlite3 db "select load_extension ('./x')"`],
    ['sqlite3:*', `sqlite3 db "select \\"writefile\\"('.envrc', 'x')"`],
    ['sqlite3:*', "sqlite3 db <<< '.shell x'"],
    ['sqlite3:*', "sqlite3 db <<'EOF'\n.shell x\nEOF"],
    ['sqlite3:*', "sqlite3 -cmd '.tables' db"],
    ['sqlite3:*', 'sqlite3 --init x db'],
  ])

  allowedBy([
    ['sqlite3:*', 'sqlite3 ./db .tables "select 1"'],
    ['sqlite3:*', "sqlite3 db 'select a.shell from a'"],
    ['sqlite3:*', "sqlite3 db '.schema'"],
    ['sqlite3:*', "sqlite3 db '.indexes'"],
    ['sqlite3:*', "sqlite3 db '.limit'"],
    ['sqlite3:*', "sqlite3 db '.lint fkey-indexes'"],
    ['sqlite3:*', "sqlite3 db 'select 1;\n.exit'"],
    ['sqlite3:*', "sqlite3 db '.headers on'"],
    ['sqlite3:*', "sqlite3 db 'select edit from edits'"],
    ['sqlite3:*', "sqlite3 db <<< 'select 1'"],
    ['sqlite3:*', 'sqlite3 db < schema.sql'],
  ])
})

describe('psql', () => {
  refusedDespite('has a command that runs programs or opens files', [
    ['psql:*', "psql -c '\\! x'"],
    ['psql:*', `psql -c "copy t from program 'x'"`],
    ['psql:*', "psql -c 'COPY t FROM PROGRAM $$x$$'"],
    ['psql:*', `psql -c "copy t from program e'x'"`],
    ['psql:*', "psql -c '\\copy t to f'"],
    ['psql:*', "psql -c '\\COPY t to f'"],
    ['psql:*', "psql -c 'select 1 \\g f'"],
    ['psql:*', "psql -c '\\i f'"],
    ['psql:*', "psql -c '\\o |x'"],
    ['psql:*', "psql -c '\\w f'"],
    ['psql:*', "psql -c '\\echo `x`'"],
    ['psql:*', "psql -c '\\e'"],
    ['psql:*', "psql -c '\\setenv PAGER ./x'"],
    ['psql:*', "psql -c '\\lo_import /etc/passwd'"],
    ['psql:*', `psql -c "copy t to /**/ program /**/ 'x'"`],
    ['psql:*', `psql -c "copy t to program U&'x'"`],
    ['psql:*', "psql -o '|x' -c 'select 1'"],
    ['psql:*', "psql -Ao'|x' -c 'select 1'"],
    ['psql:*', "psql --output='|x' -c 'select 1'"],
    ['psql:*', "psql <<< '\\! x'"],
  ])

  allowedBy([
    ['psql:*', "psql -c '\\d t' db"],
    ['psql:*', "psql -c '\\l'"],
    ['psql:*', "psql -c '\\echo x' -c '\\encoding'"],
    ['psql:*', "psql <<'EOF'\nselect 1\nEOF"],
    ['psql:*', "psql -c 'select program from t'"],
    ['psql:*', "psql -c 'copy t to stdout'"],
  ])
})
