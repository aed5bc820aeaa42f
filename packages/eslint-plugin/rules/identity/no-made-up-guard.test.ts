// auth: platform
/** Only the guard makes a passed guard. */
import { phrasings } from '../../test/rule-tester';
import rule from './no-made-up-guard';

const imports =
  "import { requirePlatformUser, type GuardedArgs, type GuardResult, type PassedGuard } from '~/platform/platform.server';\nimport { createPlatformSdk } from '~/platform/sdk/sdk.server';\n";

phrasings(
  'site/no-made-up-guard reports a cast to a passed guard [W13]',
  rule,
  {
    cast: [
      `${imports}export const sdk = createPlatformSdk({ ok: true, user: {} } as PassedGuard);`,
      `${imports}export const sdk = createPlatformSdk({ ok: true, user: {} } as unknown as PassedGuard);`,
      `${imports}export const sdk = createPlatformSdk({ ok: true, user: {} } as never);`,
      `${imports}export const sdk = createPlatformSdk({ ok: true, user: {} } as any);`,
      `${imports}const guard = JSON.parse('{}') as Extract<GuardResult, { ok: true }>;\nexport const sdk = createPlatformSdk(guard);`,
      `${imports}type Passed = PassedGuard;\nexport const sdk = createPlatformSdk({} as Passed);`,
      `${imports}export const sdk = createPlatformSdk({} as Parameters<typeof createPlatformSdk>[0]);`,
      `${imports}const guard: PassedGuard = {} as never;\nexport const sdk = createPlatformSdk(guard);`,
      `${imports}export function isPassed(value: unknown): value is PassedGuard {\n  return Boolean(value);\n}`,
      `${imports}declare const guard: PassedGuard;\nexport const sdk = createPlatformSdk(guard);`,
      `${imports}let guard!: PassedGuard;\nexport const sdk = () => createPlatformSdk(guard);`,
    ],
  },
  [
    `${imports}export const sdk = async (args: GuardedArgs) => createPlatformSdk(await requirePlatformUser(args));`,
    `${imports}export const asResult = (guard: PassedGuard) => guard as GuardResult;`,
    `export const value = JSON.parse('{}') as { user: unknown };`,
    `export const never = (value: string) => value as never;`,
  ],
);
