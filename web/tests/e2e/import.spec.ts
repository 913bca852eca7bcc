import { expect, test } from "@playwright/test";
import { quiet } from "./help";

const csv = ["Handle,Title,Vendor,Variant Price,Variant SKU,Image Src,Tags", ...Array.from({ length: 30 }, (_, n) => `dress-${n},Wrap dress ${n},Hewn,${n === 7 ? "ask" : `${129 + n}.00`},HW-${n},,summer`)].join("\n");

test("a file is looked at before anything is written, imported with a bar, and reported", async ({ page }) => {
  const complaints = quiet(page);
  await page.goto("/data");
  await page.locator("[data-testid=feed]").setInputFiles({ name: "products.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(page.locator(".rows-table tbody tr").first()).toContainText("Wrap dress 0");
  await expect(page.locator(".maps-to").nth(1)).toHaveValue("title");
  await page.locator(".understood .primary").click();
  await expect(page).toHaveURL(/\/data\/imp_/);
  await expect(page.locator(".report")).toBeVisible({ timeout: 30_000 });
  await expect(page.locator(".past tbody tr").first()).toContainText("products.csv");
  await page.reload();
  await expect(page.locator(".figures")).toBeVisible();
  expect(complaints).toEqual([]);
});

