import { expect, test } from "@playwright/test";
import { answered, ask, quiet, slow, wish } from "./help";

test("a run shows its path, its time line, what each step changed, and starts anew from a step", async ({ page }) => {
  const complaints = quiet(page);
  await page.goto("/shop");
  await ask(page, wish);
  await answered(page, 1);
  const thread = page.url();
  await page.goto("/runs");
  await page.locator(".run-link").first().click();
  await expect(page.locator(".graph-step[data-taken=true]").first()).toBeVisible();
  await expect(page.locator(".timeline li")).not.toHaveCount(0);
  const kept = page.locator(".timeline button");
  await expect(kept.first()).toBeVisible();
  await kept.last().click();
  await expect(page).toHaveURL(/step=/);
  await expect(page.locator(".changes li, .state-json").first()).toBeVisible();
  await page.locator(".run-state-buttons .button").last().click();
  await expect(page).toHaveURL(/\/shop\/thr_/);
  expect(page.url()).not.toBe(thread);
  expect(complaints).toEqual([]);
});

test("a run under way is followed live", async ({ page, context }) => {
  await page.goto("/shop");
  await ask(page, slow);
  await expect(page).toHaveURL(/\/shop\/thr_/);
  const other = await context.newPage();
  await other.goto("/runs");
  await other.locator(".run-link").first().click();
  await expect(other.locator(".status")).toHaveAttribute("data-status", /done|running|queued/);
  await expect(other.locator(".status")).toHaveAttribute("data-status", "done", { timeout: 30_000 });
  await expect(other.locator(".timeline li").last()).toHaveAttribute("data-kind", "run_finished");
});

test("an unknown run is said to be gone", async ({ page }) => {
  await page.goto("/runs/run_00000000-0000-7000-8000-000000000000");
  await expect(page.locator(".trouble")).toBeVisible();
});
