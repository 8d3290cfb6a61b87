/** The credentials for an object store, from the environment alone: a command line can be read by others. */
import { AppError } from '../../base/errors.ts'
import { mostWordsBytes, readTextSync, TooLargeError } from '../../base/read-text.ts'

export interface S3Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

const own = { id: 'FILESTORE_S3_ACCESS_KEY_ID', secret: 'FILESTORE_S3_SECRET_ACCESS_KEY' }

/** A variable, or the file that `<name>_FILE` names, without the line break at its end. */
function readVariable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (env[name] || !file) return env[name] || undefined
  try {
    return readTextSync(file, mostWordsBytes).replace(/\r?\n$/, '')
  } catch (cause) {
    if (cause instanceof TooLargeError) throw new AppError('invalid_input', `${name}_FILE: ${cause.message}`, { cause })
    throw new AppError('invalid_input', `${name}_FILE: '${file}' cannot be read`, { cause })
  }
}

/** Reads filestore's own variables, or else those of Amazon's tools. Throws `invalid_input` if neither are set. */
export function readS3Credentials(env: NodeJS.ProcessEnv): S3Credentials {
  const [id, secret] = [readVariable(env, own.id), readVariable(env, own.secret)]
  if (id !== undefined && secret !== undefined) return { accessKeyId: id, secretAccessKey: secret }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
  if (id === undefined && secret === undefined && AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    }
  }
  throw new AppError('invalid_input', `--storage: set ${own.id} and ${own.secret} (or ${own.secret}_FILE)`)
}
