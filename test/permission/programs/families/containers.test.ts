import { describe } from 'vitest'
import {
  allButEditingSource,
  allButReadingEnv,
  allButWriting,
  denyingX,
} from '../../../support/permission/judged-lines.ts'

describe('containers', () => {
  allButEditingSource.asks('lets a container write to the folder', [
    'docker run -v ./src:/x img',
    'docker run -v $PWD/src/a.ts:/x img',
    'docker run -itv ./src:/x img',
    'docker run --volume=./src:/x:z img',
    'docker run --mount type=bind,source=./src,target=/x img',
    'docker compose run -v ./src:/x web',
    'podman run -v /home/user/proj/src:/x img',
  ])

  allButEditingSource.allows('lets no container write to it, or only to the project', [
    'docker run -v ./src:/x:ro img',
    'docker run --mount type=bind,source=./src,target=/x,readonly img',
    'docker run -v src:/x img',
    'docker run -v $PWD:/x -w /x img npm test',
    'docker run -v "$(pwd)":/x img npm test',
  ])

  allButWriting.allows('writes in a container that gets nothing of this machine', [
    'docker run gcc gcc -o src/a a.c',
    'docker run --rm -it -e A=b -w /app --name x img sh -c "echo > src/a.ts"',
    'podman run --rm img touch .env',
  ])

  allButWriting.denies('may write on this machine, whatever the container is', [
    'docker run -v $PWD:/app -w /app gcc gcc -o src/a a.c',
    'docker run --volumes-from x img touch src/a.ts',
    'docker run --privileged img touch src/a.ts',
    'docker exec web touch src/a.ts',
    'docker run --cidfile src/id img',
    'docker build -t img . && docker run img touch src/a.ts',
  ])

  allButReadingEnv.denies('reads the file for the container', ['docker run --env-file .env img env'])

  allButReadingEnv.allows('reads a file of the container', ['docker run --rm img cat .env'])

  denyingX.denies('runs the command in a container', ['docker run --rm img x', 'docker run img sh -c "x y"'])

  allButWriting.denies('writes the result of a build there', [
    'docker build --output type=local,dest=src .',
    'docker buildx build -o dest=src/out,type=local .',
    'docker buildx build --cache-to type=local,dest=src/cache .',
  ])

  allButEditingSource.asks('may unpack a chart into the folder', ['helm pull x --untar'])
  allButEditingSource.denies('unpacks a chart into it', ['helm pull x --untar --untardir src'])
  allButEditingSource.allows('unpacks a chart elsewhere', ['helm pull x --untar -d out', 'helm pull x'])

  allButWriting.denies('creates a chart', ['helm create src/web'])

  allButWriting.allows('creates no file', ['helm list', 'helm install web ./chart'])

  allButReadingEnv.denies('shows the file to a container', [
    'docker run -v ./.env:/e:ro img cat /e',
    'docker run --mount type=bind,src=.env,dst=/e img',
  ])
})
