/** Only the guard creates a passed guard, and a result that may have failed is not accepted as one. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './no-made-up-guard.js';

const imports =
  "import { checkPlatformUser, createPlatformSdk, requirePlatformSdk, requirePlatformUser } from '~/platform.server';\nimport type { FailedGuard, GuardedArgs, GuardResult, OpenGuard, PassedGuard } from '@gatehouse/platform/server';\n";

phrasings(
  'site/no-made-up-guard reports everything but a passed guard in its place [W13]',
  rule,
  {
    failed: [
      `${imports}export async function loader({ context }: GuardedArgs) {\n  const guard = await checkPlatformUser(context);\n  return createPlatformSdk(guard).credits.balance();\n}`,
      `${imports}export const sdk = async ({ context }: GuardedArgs) => createPlatformSdk(await checkPlatformUser(context));`,
      `${imports}export async function action({ context }: GuardedArgs) {\n  const guard = await checkPlatformUser(context);\n  if (guard.ok) return null;\n  return createPlatformSdk(guard, { workspace: 'wsp_1' });\n}`,
      `${imports}const boardOf = (guard: PassedGuard) => createPlatformSdk(guard);\nexport const board = async ({ context }: GuardedArgs) => boardOf(await checkPlatformUser(context));`,
      `${imports}export const sdk = (guard: GuardResult) => [guard].map((one) => createPlatformSdk(one));`,
    ],
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
      `${imports}export const { sdk } = {} as Awaited<ReturnType<typeof requirePlatformSdk>>;`,
      `${imports}export const { sdk } = { user: {}, sdk: {} } as unknown as OpenGuard<object>;`,
      `${imports}export class Visit {\n  guard!: PassedGuard;\n  sdk() {\n    return createPlatformSdk(this.guard);\n  }\n}`,
      `${imports}declare function guardOf(): PassedGuard;\nexport const sdk = () => createPlatformSdk(guardOf());`,
      `${imports}let guard!: PassedGuard;\nexport const sdk = () => createPlatformSdk(guard);`,
    ],
  },
  [
    `${imports}export const sdk = async (args: GuardedArgs) => (await requirePlatformSdk(args)).sdk;`,
    `${imports}export const sdk = async (args: GuardedArgs) => createPlatformSdk(await requirePlatformUser(args));`,
    `${imports}export async function loader({ context }: GuardedArgs) {\n  const guard = await checkPlatformUser(context);\n  if (!guard.ok) return null;\n  return createPlatformSdk(guard);\n}`,
    `${imports}const statusOf = (guard: FailedGuard) => guard.status;\nexport const status = (guard: GuardResult) => (guard.ok ? 200 : statusOf(guard));`,
    `${imports}const isOpen = (guard: GuardResult) => guard.ok;\nexport const open = async ({ context }: GuardedArgs) => isOpen(await checkPlatformUser(context));`,
    `${imports}export const asResult = (guard: PassedGuard) => guard as GuardResult;`,
    `export const value = JSON.parse('{}') as { user: unknown };`,
    `export const never = (value: string) => value as never;`,
  ],
);
