import { expect, it } from 'vitest'
import { callOf, testPolicy } from '../support/permission/policy.ts'

async function judge(rule: string, command: string) {
  const policy = testPolicy({ rules: { allow: ['Bash(*)'], deny: [`Bash(${rule})`] } })
  return (await policy.judge(callOf('bash', { command }))).behavior
}

it.each([
  ['docker system prune:*', 'docker --debug system prune -a'],
  ['git push --force:*', 'git push origin main --force'],
  ['git push --force:*', 'git push -u --force'],
  ['git push --force:*', 'git push origin -f'],
  ['git push --force:*', 'git --no-pager push --force origin'],
  ['git reset --hard:*', 'git reset HEAD~1 --hard'],
  ['git reset --hard:*', 'git reset -q --hard'],
  ['rm -rf:*', 'rm -fr x'],
  ['rm -rf:*', 'rm -r -f x'],
  ['rm -rf:*', 'rm -v -rf x'],
  ['rm -rf:*', 'rm x -rf'],
  ['rm -rf:*', 'rm -rfv x'],
  ['rm -rf:*', 'rm --recursive --force x'],
  ['rm -rf:*', 'sudo /bin/rm -R -f x'],
  ['curl -X POST:*', 'curl -s -X POST u'],
  ['curl -X POST:*', 'curl -XPOST u'],
  ['curl -X POST:*', 'curl --request=POST u'],
  ['chmod -R:*', 'chmod 777 -R x'],
  ['chmod -R 777:*', 'chmod 777 -R x'],
  ['python3 -c:*', 'python3 -I -c 1'],
  ['find -delete:*', 'find . -name x -delete'],
  ['git push', 'git --no-pager push'],
  ['git * main', 'git push origin main -f'],
  ['git * main', 'git push -u origin main --tags'],
  ['git push origin*main', 'git push -f origin main'],
  ['git push origin main*', 'git push -f origin main x'],
  ['terraform*destroy', 'terraform -chdir=x destroy -auto-approve'],
  ['rm*important', 'rm x important -v'],
  ['gcloud * delete prod:*', 'gcloud compute instances delete --quiet prod'],
  ['a b', 'a b -'],
  ['git checkout --:*', 'git checkout -q -- x'],
])('denying %s denies %s', async (rule, command) => {
  expect(await judge(rule, command)).toBe('deny')
})

it.each([
  ['kubectl delete:*', 'kubectl -n foo delete pod x'],
  ['kubectl delete:*', 'kubectl --namespace foo delete pod x'],
  ['docker system prune:*', 'docker --context x system prune'],
  ['git push --force:*', 'git push --force-with-lease'],
  ['git push --force:*', 'git push --forc'],
  ['git push --force:*', 'git push origin $(cat x)'],
  ['curl -X POST:*', 'curl u -X POST'],
  ['rm -rf:*', 'rm -rfvvvv x'],
])('denying %s asks about %s, which may match', async (rule, command) => {
  expect(await judge(rule, command)).toBe('ask')
})

it.each([
  ['rm -rf:*', 'rm x'],
  ['rm -rf:*', 'rm -r x'],
  ['rm -rf:*', 'rm -f x'],
  ['rm -rf:*', 'ls -rf'],
  ['git push --force:*', 'git push origin main'],
  ['git push --force:*', 'git push -u origin main --tags'],
  ['git push --force:*', 'git fetch --force'],
  ['git push:*', 'git stash push'],
  ['git push:*', 'git log -- push'],
  ['git push:*', 'git commit -m push'],
  ['git push', 'git push origin'],
  ['git reset --hard:*', 'git reset --soft HEAD~1'],
  ['kubectl delete:*', 'kubectl -n foo get pods'],
  ['kubectl delete:*', 'kubectl get pods delete'],
  ['curl -X POST:*', 'curl -s u'],
  ['chmod -R:*', 'chmod +x a'],
  ['tar -C:*', 'tar -czf x src'],
  ['python3 -c:*', 'python3 x.py -c x.cfg'],
  ['node -e:*', 'node cli.js -e prod'],
  ['npm publish:*', 'npm run publish-docs'],
  ['git checkout --:*', 'git checkout x'],
  ['git checkout -- :*', 'git checkout --quiet x'],
])('denying %s leaves %s allowed', async (rule, command) => {
  expect(await judge(rule, command)).toBe('allow')
})
