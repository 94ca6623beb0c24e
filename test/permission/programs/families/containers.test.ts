import { describe } from 'vitest'
import {
  allButEditingSource,
  allButReadingEnv,
  allButWriting,
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

  allButWriting.denies('writes the result of a build there', [
    'docker build --output type=local,dest=src .',
    'docker buildx build -o dest=src/out,type=local .',
    'docker buildx build --cache-to type=local,dest=src/cache .',
  ])

  allButReadingEnv.denies('shows the file to a container', [
    'docker run -v ./.env:/e:ro img cat /e',
    'docker run --mount type=bind,src=.env,dst=/e img',
  ])
})
