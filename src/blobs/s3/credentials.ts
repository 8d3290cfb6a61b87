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

/**
 * Returns a value that stands in a header of each request. Throws `invalid_input` where it cannot: the error of the HTTP
 * client would tell the header with its signature.
 */
function forHeader(name: string, value: string): string {
  if (/^[!-~]+$/.test(value)) return value
  throw new AppError('invalid_input', `${name} can have only ASCII characters, and no space or line break`)
}

/**
 * Reads filestore's own variables, or else those of Amazon's tools. Throws `invalid_input` if neither are set, or hold what
 * no request can send.
 */
export function readS3Credentials(env: NodeJS.ProcessEnv): S3Credentials {
  const [id, secret] = [readVariable(env, own.id), readVariable(env, own.secret)]
  if (id !== undefined && secret !== undefined) return { accessKeyId: forHeader(own.id, id), secretAccessKey: secret }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
  if (id === undefined && secret === undefined && AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY) {
    return {
      accessKeyId: forHeader('AWS_ACCESS_KEY_ID', AWS_ACCESS_KEY_ID),
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: forHeader('AWS_SESSION_TOKEN', AWS_SESSION_TOKEN) }),
    }
  }
  throw new AppError('invalid_input', `--storage: set ${own.id} and ${own.secret} (or ${own.secret}_FILE)`)
}
